"""Word lists of the steps: plain words, verbs, nouns of the trade, units and what owns a number."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


STOP_WORDS = word_set(
    "a about after again all also am an and any are as at be because been before being but by can could did do does doing "
    "done else ever every for from get gets getting give given go had has have having he her here his how i if in instead "
    "into is it its itself just keep let like make makes me more most much must my need needs never new no not now of off "
    "on once one only onto or other our out over own per please put same shall she should show so some still such than that "
    "the their them then there these they this those through to too under until up upon us use used using very want was way "
    "we were what when where whether which while who whom why will with within without works working would yet you your "
    "there's i'm don't doesn't can't each both right best proper"
)

LANGUAGES = {
    "python": "python", "py": "python", "java": "java", "kotlin": "kotlin", "go": "go", "golang": "go", "rust": "rust",
    "rs": "rust", "javascript": "js", "js": "js", "node": "js", "nodejs": "js", "typescript": "js", "ts": "js", "c": "c",
    "cpp": "c++", "c++": "c++", "csharp": "c#", "c#": "c#", "dotnet": "c#", "ruby": "ruby", "rb": "ruby", "php": "php",
    "swift": "swift", "ios": "swift", "dart": "dart", "flutter": "dart", "elixir": "elixir", "scala": "scala",
    "android": "kotlin", "perl": "perl", "haskell": "haskell", "lua": "lua", "julia": "julia", "erlang": "erlang",
}  # fmt: skip
"""Words that name a programming language, and which one."""

GENERAL_LANGUAGES = word_set(
    "python java kotlin go golang rust javascript js c c++ cpp csharp c# ruby php swift dart scala perl haskell lua bash "
    "sql html css elixir r ecmascript shell f# clojure"
)
"""Folded names of languages: a question that names nothing else and no version is general programming."""

TRADE_WORDS = word_set(
    "api apis app apps application applications argument arguments array arrays async auth authentication authorization "
    "backend body bug bind binding browser build builds cache cached caching callback callbacks chart class classes cli "
    "client clients code column columns command commands compile compiler component components config configuration "
    "configure connection connections constructor container containers context controller controllers cookie cookies cors "
    "crash crashes css csv dashboard database databases dataframe dataset decorator decorators default dependencies "
    "dependency deploy deployment directory docker dom endpoint endpoints engine enum env environment error errors event "
    "events exception exceptions export exports field fields file files filter filters flag flags folder form forms "
    "framework frontend function functions generator goroutine graphql grpc handler handlers header headers hook hooks html "
    "http https hydration import imports index indexes initialize inject injection input install instance integration "
    "interceptor interface iterator javascript job jobs json jsx jwt key keys kubernetes layout layouts lib library linter "
    "list listener loader loaders log logger logging login logout loop map mapping method methods middleware middlewares "
    "migrate migration migrations mock mocks model models module modules monorepo mutation mutations namespace nested node "
    "npm null oauth object objects optional orm output package packages page pages param parameter parameters params parse "
    "parser path payload pip plugin plugins pod pods pool port production progress prop property props proxy pydantic "
    "queries query queue queues redirect redirects regex relation relations render rendering repository request requests "
    "response responses rest retry return returns role roles route router routers routes routing row rows runtime schema "
    "schemas scope script scripts sdk select serialization serialize serializer server servers service services session "
    "sessions slice snapshot socket sql ssl ssr state static store stream streaming streams string struct structs style "
    "styles subcommand subcommands syntax table tables tag task tasks template templates terminal test testing tests thread "
    "threads throws timeout timeouts tls token tokens transaction transactions type types typescript ui undefined unit "
    "update upgrade upload uploads url urls utf-8 validate validation validator validators value values variable variables "
    "version view views web webhook webhooks websocket websockets widget widgets worker workers workflow xml yaml deploys "
    "spinner shell menu blueprint playbook values.yaml release releases kwargs args attribute attributes channel formatter "
    "print prints console window windows image images kernel struct tuple dict dictionary"
)
"""Words that show that a question is about software."""

ON_A_SCREEN = word_set("text bold italic underline underlined color colour colors colours font cursor button link")
"""What programs show: with one of these a search may have a word more."""

APP_NOUNS = word_set(
    "app apps application applications project projects site service server servers backend frontend api apis page pages "
    "component components code codebase repo repository package library framework plugin plugins module worker workers "
    "route routes router middleware controller controllers handler handlers endpoint endpoints view views model models hook "
    "hooks template templates task tasks test tests docs documentation version cli client sdk class config setup chart "
    "charts formatter decorator bot job jobs job container blueprint blueprints session deployment cluster release script "
    "function functions query schema form forms field fields store provider context command commands group option options "
    "validator driver adapter extension integration binding bindings playbook pipeline dashboard console table progress"
)
"""Nouns that make the word before them a name: "my next app", "an express route"."""

REQUEST_VERBS = word_set(
    "access activate add adjust align allow animate annotate append apply assert assign attach authenticate authorise "
    "authorize avoid await benchmark bind block broadcast build bundle cache call cancel catch change check choose clear "
    "clone close collect combine compare compile compose compress compute configure connect consume control convert copy "
    "create customise customize debounce debug declare decode define delete deploy deserialize detect disable display "
    "dispatch dispose document download drop embed emit enable encode encrypt enforce escape execute exclude expire expose "
    "export extend extract fetch filter find fix flatten forbid force format forward generate group guard handle hide "
    "hydrate ignore implement import include increase index infer inject inline insert inspect install integrate intercept "
    "invalidate invoke iterate join keep launch limit link list listen load localise localize lock log login logout loop "
    "manage map mark measure memoize merge migrate mock modify monitor mount move mutate name navigate nest normalise "
    "normalize notify obtain omit open optimise optimize order organise organize output override paginate parse pass patch "
    "persist pin ping place plot poll populate post prefetch preload prerender prevent print process profile protect "
    "provide proxy publish pull push query queue rate read receive reconnect record redirect reduce refetch refresh refuse "
    "register reject remove rename render reorder repeat replace report request require reset resize resolve restart "
    "restore restrict retrieve retry return reuse revalidate revoke rewrite roll rotate route run save scale scan schedule "
    "scope scroll search secure seed select send separate serialise serialize serve set share show sign simulate skip "
    "snapshot sort specify split start stop store stream structure style subscribe support swap switch sync tag target test "
    "throttle throw time track transform translate trigger truncate try turn type undo unit unmount unregister update "
    "upgrade upload validate verify version view wait watch wire wrap write "
    "archive audit back backfill backup batch bootstrap broadcast bump catalog chain check clean compute concat deduplicate "
    "deliver derive detach drain draw dump edit enrich estimate evaluate evict export fail fill flag flush fold freeze gzip hash "
    "hook ingest isolate label lint lower lowercase map mask materialize mirror mute nest obfuscate overwrite pad partition "
    "pause preserve preview promote prune purge raise randomize rebuild recover redact redeploy reload remap replay replicate "
    "rescale reshape retain roll sanitize scaffold scrape scrub seal shard shrink shuffle shut slice stub suppress surface "
    "suspend terminate tie toggle trace train translate traverse trim tune unload unlock unpack unwrap upscale upsert use warm "
    "whitelist delay parametrize parametrise crop crawl"
)
"""Verbs with which people say what they want done."""

GENERIC_VERBS = word_set(
    "set up setup configure do add implement handle use show need explain get make have wire build enable manage create integrate"
)
"""Verbs that fit any topic: "set up routing and auth" asks for two things."""

LINK_WORDS = word_set(
    "together interact interacts interacting combine combined versus vs vs. compared comparison difference differences "
    "differ differs compare prefer better instead either"
)
"""Words of a question about how things work together or differ: it stays whole."""

NAME_SUFFIXES = word_set(
    "based like style styled specific powered compatible related only side managed generated driven backed flavored "
    "flavoured aware agnostic less ready hosted oriented first free rendered wide"
)
"""What may follow a name behind a hyphen without making another name of it: "zod-based"."""

UNITS = word_set(
    "s ms sec secs second seconds minute minutes min mins hour hours day days week weeks month months year years times time "
    "items item rows row columns column files file users user threads thread processes process requests request mb gb kb tb "
    "px rem em percent bytes byte bits bit people records lines line characters chars entries instances copies nodes "
    "replicas workers cores cpus steps points things ways libraries questions k fps hz"
)
"""A number before one of these is a quantity."""

NUMBER_OWNERS = word_set(
    "port status code http https error errno line page step issue pr chapter section part day week month year level tls ssl "
    "http/ oauth openapi utf es ecma ecmascript sql css html api format schema protocol rfc iso column row top first last "
    "exit timeout limit every only about nearly roughly least most than max min size width height count pick section ubuntu "
    "debian macos windows ios android chrome firefox safari"
)
"""A number behind one of these belongs to it and is no library's version."""

HTTP_STATUS = word_set(
    "100 101 200 201 202 204 206 301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 411 412 413 415 418 422 "
    "425 426 428 429 431 451 500 501 502 503 504 505 511"
)
"""Numbers that are an answer of a web server, not a version."""

EVERYDAY_WORDS = word_set(
    "ai go next express spring react click rich black request requests nest rest echo fiber dash moment motion "
    "got expo helmet commander instructor emotion payload passport sharp solid spark square node reflex "
    "recoil remix bootstrap fabric tornado ray poetry hatch transformers ink lit leaflet marked "
    " play swift rust crystal phoenix chart actions workers pages box slack linear notion render fly consul vault "
    "nomad packer chef puppet salt ant make just task fire invoke plug capacitor mobile get provider bloc compose room arrow "
    "guard rocket warp tower hyper log tracing rayon clap serde diesel bevy iced gin chi iris revel buffalo cue air wire zap cli "
    "terminal storm hive pig presto beam flink druid lambda glue athena step bolt slim pest carbon vapor perfect combine glide "
    "coil dagger hilt koin ktor mocha chai alpine quart drizzle sanity haystack datasets nitro foundation relay "
    "segment bear jam joi day big grape hanami thor metal robot serenity spock maestro "
    "aurora base theme primer fluent carbon polaris panda park ark "
    "effect effector signals atom recoil query table form forms router start virtual store cookie session cors body connect "
    "send serve static async textual typer behave green nose coverage docs safety bandit pipe dataset feather arrow"
    " anyhow apex chroma clerk cobra composer convex curl dapper dart elixir envoy filament inertia neon "
    " rack railway resend serverless stimulus temporal tonic torch twig unity viper yarn flux "
    "hyper amplify three uuid websockets motor quill slate exposed agenda "
    "less kind r act victory schedule bottle panel burn tone kong ghost flower boost bull guidance distributed responses poem "
    "lightning ash embassy julia broadway flame realm nerves anchor prophet doctrine shiny candle ninja goose reactor rand drift "
    "compression pony bash skeleton feathers objection turf pyramid whisper turbo notebook falcon shrine strawberry quartz "
    "chalk pulp parcel caffeine tilt remark outlines backstage fx cashier blitz psalm replicate sails spectator paddle blueprint "
    "nano aspire criterion wolverine bogus bleak darts cucumber encore wasp iceberg rector foundry ent hydra uno refine bedrock "
    "pendulum concurrently redwood watchdog gymnasium starlight medusa seq prefect briefcase renovate piccolo equinox lexical "
    "twine pusher chromatic unstructured copier plop cohere superset rollup dropzone bundler datastore coverage accelerate "
    "rapids cors vcr lucia ava hive perch ndarray finalform openapi apigateway secretsmanager papertrail goodjob hotchocolate"
)
"""Names that people use as ordinary words about software or work: they need more evidence than a rare word such as "cypress"."""

PLAIN_TAILS = word_set(
    "to live gen door text box through play time step level day week line up out in on off by of the no away around back ahead "
    "wide list white like lane best left right page red hand forward year month sprint quarter and or all party fed fold soft"
)
"""What follows an English word behind a hyphen in English: "go-to", "next-gen", "black-box"."""

PLAIN_PREFIXES = word_set(
    "non pre post un anti my our multi self server client per ex all cross full semi no single open pure plain raw old new pro "
    "async sync sub super mini micro custom native modern legacy like based via local remote test in on off up down by re co"
)
"""What stands before a hyphen in English and makes no package name: "non-react"."""

SURROUNDINGS = word_set(
    "docker kubernetes redis postgresql postgres mysql mongodb sqlite nginx aws azure nodejs typescript python java go rust "
    "javascript net php ruby kotlin c# bun deno pnpm npm yarn mypy graphql html css sql http json jwt oauth websocket "
    "websockets yaml ollama github linux windows vercel netlify cloudflare"
)
"""Folded names of what other things run on or are checked with: named beside a library they are its surroundings."""
