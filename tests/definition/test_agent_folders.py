"""Agents found by name: which folders count, which file wins, and that a bad one hides nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition.folders import MAX_FOLDERS, Agents, Place, find_agent, find_agents, read_folder
from docs_researcher.definition.loader import parse_definition
from docs_researcher.definition.schema import MAX_NOTICES, definition_notices

AVAILABLE = ("resolve-library-id", "query-docs")


def write(path: Path, name: str, *, says: str = "x", extra: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {name}\ndescription: Use it.\n{extra}---\n{says}\n", encoding="utf-8")
    return path


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home folder, with both of the folders that a user's agents lie in."""
    home = tmp_path / "user"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return home


@pytest.fixture
def project(tmp_path: Path, user: Path) -> Path:
    """The root of a repository."""
    root = tmp_path / "work" / "project"
    (root / ".git").mkdir(parents=True)
    return root


def used(agents: Agents) -> dict[str, str]:
    return {item.definition.name: item.definition.prompt for item in agents.found if item.shadowed_by is None}


def test_the_built_in_agent_is_always_there(project: Path) -> None:
    agents = find_agents(project)
    assert [(item.definition.name, item.rule) for item in agents.found] == [("docs-researcher", "built in")]


def test_the_places_win_in_their_order(project: Path, user: Path) -> None:
    deep = project / "packages" / "app"
    deep.mkdir(parents=True)
    ways = [
        deep / ".docs-research/agents/demo.md",
        deep / ".claude/agents/demo.md",
        project / ".docs-research/agents/demo.md",
        project / ".claude/agents/demo.md",
        user / ".config/docs-researcher/agents/demo.md",
        user / ".claude/agents/demo.md",
    ]
    for path in ways:
        write(path, "demo", says=str(path))
    while ways:
        agents = find_agents(deep)
        assert find_agent("demo", deep).prompt == str(ways[0])
        assert [item.shadowed_by for item in agents.found if item.definition.name == "demo"] == [
            None,
            *[str(ways[0])] * (len(ways) - 1),
        ]
        ways.pop(0).unlink()
    with pytest.raises(DefinitionError, match="no agent named 'demo'"):
        find_agent("demo", deep)


def test_an_agent_of_the_project_wins_over_the_built_in_one_only_when_it_is_named(project: Path) -> None:
    write(project / ".claude/agents/mine.md", "docs-researcher", says="mine")
    assert find_agent("docs-researcher", project).prompt == "mine"


def test_nothing_above_the_repository_is_read(project: Path) -> None:
    write(project.parent / ".claude/agents/outside.md", "outside")
    assert "outside" not in used(find_agents(project))


def test_outside_a_repository_only_the_folder_itself_is_read(tmp_path: Path, user: Path) -> None:
    folder = tmp_path / "plain" / "below"
    write(folder / ".claude/agents/here.md", "here")
    write(folder.parent / ".claude/agents/above.md", "above")
    assert {"here"} == used(find_agents(folder)).keys() - {"docs-researcher"}


def test_a_home_folder_that_is_a_repository_gives_its_agents_once_and_as_the_users(user: Path) -> None:
    (user / ".git").mkdir()
    write(user / ".claude/agents/demo.md", "demo")
    assert [item.rule for item in find_agents(user).found if item.definition.name == "demo"] == ["user, .claude"]


def test_claudes_own_variable_moves_its_folder(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    write(tmp_path / "elsewhere/agents/demo.md", "demo", says="moved")
    assert find_agent("demo", project).prompt == "moved"


def test_folders_below_are_read_and_their_names_mean_nothing(project: Path) -> None:
    write(project / ".claude/agents/team/docs/deep.md", "deep")
    assert find_agent("deep", project).name == "deep"


def test_a_link_in_a_circle_holds_nobody(project: Path) -> None:
    folder = project / ".claude/agents"
    write(folder / "one.md", "one")
    (folder / "again").symlink_to(folder, target_is_directory=True)
    assert list(used(find_agents(project))) == ["one", "docs-researcher"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_a_file_blocks_nobody(project: Path) -> None:
    write(project / ".claude/agents/one.md", "one")
    os.mkfifo(project / ".claude/agents/pipe.md")
    assert list(used(find_agents(project))) == ["one", "docs-researcher"]


def test_a_link_to_a_whole_disk_is_given_up(project: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    for number in range(MAX_FOLDERS + 20):
        write(disk / f"{number:04}" / "x.md", f"agent-{number}")
    (project / ".claude").mkdir()
    (project / ".claude/agents").symlink_to(disk, target_is_directory=True)
    assert len(used(find_agents(project))) == MAX_FOLDERS  # the folder itself holds none, and one is built in


def test_hidden_folders_are_left_out(project: Path) -> None:
    write(project / ".claude/agents/.git/hidden.md", "hidden")
    assert list(used(find_agents(project))) == ["docs-researcher"]


def test_a_linked_file_is_read(project: Path, tmp_path: Path) -> None:
    target = write(tmp_path / "shared.md", "shared")
    (project / ".claude/agents").mkdir(parents=True)
    (project / ".claude/agents/link.md").symlink_to(target)
    assert find_agent("shared", project).name == "shared"


def test_a_bad_file_hides_no_other_and_is_named(project: Path) -> None:
    folder = project / ".claude/agents"
    write(folder / "good.md", "good")
    write(folder / "other.MD", "other")
    (folder / "bad.md").write_text("---\nname: [\n---\nx\n", encoding="utf-8")
    (folder / "binary.md").write_bytes(b"\0\1\2")
    (folder / "folder.md").mkdir()
    (folder / "notes.txt").write_text("not an agent", encoding="utf-8")
    agents = find_agents(project)
    assert list(used(agents)) == ["good", "other", "docs-researcher"]
    assert [(item.path.name, item.error.path) for item in agents.broken] == [
        (name, str(folder / name)) for name in ("bad.md", "binary.md")
    ]


def test_a_file_without_frontmatter_is_documentation(project: Path) -> None:
    folder = project / ".claude/agents"
    write(folder / "good.md", "good")
    (folder / "README.md").write_text("# Our agents\n", encoding="utf-8")
    (folder / "empty.md").write_bytes(b"")
    agents = find_agents(project)
    assert [path.name for path in agents.documents] == ["README.md", "empty.md"]
    assert agents.broken == ()


def test_a_folder_that_does_not_exist_holds_nothing(tmp_path: Path) -> None:
    assert read_folder(Place(tmp_path / "none", "file")) == Agents(())


@pytest.mark.parametrize("name", ["demo", "DEMO", "Demo"])
def test_a_name_is_found_in_any_case(project: Path, name: str) -> None:
    write(project / ".claude/agents/x.md", "Demo")
    assert find_agent(name, project).name == "Demo"


def test_of_two_names_that_differ_only_in_case_the_exact_one_is_taken(project: Path) -> None:
    write(project / ".claude/agents/a.md", "Demo", says="upper")
    write(project / ".claude/agents/b.md", "demo", says="lower")
    assert find_agent("demo", project).prompt == "lower"


def test_a_path_is_read_as_a_file_whatever_the_names(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "mine.md", "mine")
    write(tmp_path / "plain", "plain")
    monkeypatch.chdir(tmp_path)
    assert find_agent(path).name == find_agent("mine.md").name == find_agent(str(path)).name == "mine"
    assert find_agent("./plain").name == "plain"


def test_a_broken_file_of_that_name_says_why_instead_of_not_found(project: Path) -> None:
    path = project / ".claude/agents/demo.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: demo\n---\nx\n", encoding="utf-8")
    with pytest.raises(DefinitionError, match=r"demo\.md:2:1: the frontmatter has no `description`"):
        find_agent("demo", project)


def test_a_broken_file_that_would_have_won_is_told_with_the_one_that_is_used(project: Path, user: Path) -> None:
    write(user / ".claude/agents/demo.md", "demo", says="the user's")
    path = project / ".claude/agents/demo.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: demo\n---\nx\n", encoding="utf-8")
    definition = find_agent("demo", project)
    assert definition.prompt == "the user's"
    assert [(repair.path, "cannot be loaded" in repair.what) for repair in definition.repairs] == [(str(path), True)]


def test_a_broken_file_behind_the_one_that_is_used_is_no_concern_of_the_run(project: Path, user: Path) -> None:
    write(project / ".claude/agents/demo.md", "demo")
    path = user / ".claude/agents/demo.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: demo\n---\nx\n", encoding="utf-8")
    assert find_agent("demo", project).repairs == ()


def test_a_name_that_is_not_there_is_answered_with_the_nearest(project: Path) -> None:
    with pytest.raises(DefinitionError) as caught:
        find_agent("doc-researcher", project)
    assert caught.value.next_step == "Did you mean `--agent docs-researcher`?"


def test_notices_tell_repairs_with_their_place_and_tools_that_are_not_there() -> None:
    text = "---\nname: demo\ndescription: Use it: now.\ntools: Read, query-docs\n---\nx\n"
    notices = definition_notices(parse_definition(text, source="demo.md"), AVAILABLE)
    assert len(notices) == 2
    assert notices[0].startswith("demo.md:3:") and "quotes" in notices[0]
    assert notices[1] == "The tool 'Read' of the agent 'demo' is not offered here and was ignored."


def test_a_file_in_order_gives_no_notices() -> None:
    assert definition_notices(parse_definition("---\nname: demo\ndescription: Use it.\n---\nx\n"), AVAILABLE) == ()


def test_notices_are_bounded_and_say_where_the_rest_is() -> None:
    keys = "".join(f"made_up_{number}: 1\n" for number in range(30))
    definition = parse_definition(f"---\nname: demo\ndescription: Use it.\n{keys}---\nx\n", source="my demo.md")
    notices = definition_notices(definition, AVAILABLE)
    assert len(notices) == MAX_NOTICES
    assert notices[-1] == "25 more notes on this file: docs-research agents validate 'my demo.md'"


def test_an_agent_without_documentation_tools_refuses_to_start() -> None:
    with pytest.raises(DefinitionError, match="without tools"):
        definition_notices(parse_definition("---\nname: demo\ndescription: Use it.\ntools: Read\n---\nx\n"), AVAILABLE)


def test_a_key_of_another_host_is_no_fault_of_the_file() -> None:
    definition = parse_definition("---\nname: demo\ndescription: Use it.\nskills: [x]\ntoools: y\n---\nx\n")
    assert [(repair.line, repair.is_fault) for repair in definition.repairs] == [(4, False), (5, True)]
