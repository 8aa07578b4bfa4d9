"""English words one or two letters away from a library's name, which are no misspelling of it."""

from __future__ import annotations

from docs_researcher.steps.words import word_set

NEAR_WORDS = word_set(
    "accelerator actin actionable altar anchoring angle angles assam asserts astor astra awards axiom babes backspace bagel "
    "basel battle bearer bernie beware blazer boast boggs bonus boost boots botox break bundled bundles burma cameras candy "
    "carlo catchy caters classic closure cockroaches colby colour commanders commitment committing compassion compressing "
    "compressor concurrency condo contents contexts cookies copied copper coworkers crawled creditor cryptographic "
    "cucumbers dares darth decker demise denise dependable dependant detection device devices devine directed directly "
    "directs distributes distributor docked docket docking docstring draft dramatic editors election electrodes electronics "
    "elemental elementary elements eleventh excels execs expresses faber fabrics fails fairs faked fakes fallon famer "
    "faraway fathers fibre firestorm flack flake flakes flank flare flash flashlight flatter flavor flick fling flint "
    "flowed formats frame freezer freezes goode grade grapheme guest hatching honor hydro hypotheses iconic inquired "
    "intensify inversely inversion ironic jagger javelin julie julio jupiter karla lends lenin leona lewis lightening "
    "lighting likewise linked linkers lorna lotte loved lucid lucie lucio luton magenta magneto mamma mania manic mantis "
    "mantra marino mario martin mason materially materials matters maxim mediate mediator melon molecular molecules moments "
    "moshe mosquito movin muster mutter native nests networks nixon nutty objections objective orson outlined outlives "
    "pandora paned panes panic papal parsed parses passports paste pavel peers perch perfect perky perry pests phased "
    "phases plasma platforms polaris polls preach prima priming program prolly promo protest public puddle pushed pushes "
    "radii radio rafts rages raids rains ranches rapper reach reachable reached reals realtor reassured record records "
    "refactor regis remit responded responder responders restarts roast robin rockers rustic saint scalia scalp scary "
    "scrappy scraps selects serge serie sheets shine signals simon simply sinner skate skelton slade slang slant slave "
    "slide sling snails sniper socialism socialist socialists socialize soils solidify solids solidus sonic sonnet sooner "
    "space spacey spicy splice spline sprint stacy state stint straps streamline string strings strip stripes superset "
    "swiped systems tabulated taper telegram tempe tempo temps tempt tensor testcase testcases thine threes toast tokens "
    "tokyo tones torso triggered twice twink twins tyler typed types typos unicorn uploading utopia valley venture vertex "
    "victors videos volts vulcan waits walls wanda yards yarns"
)
"""Found by comparing the catalogue with the 45,000 commonest English words and the doc strings of Python (2026-11-30)."""
