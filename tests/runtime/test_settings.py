"""Settings from files and variables: which one wins, what a project may say, and errors that name file, line and key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_researcher.core.errors import ConfigurationError, UsageError
from docs_researcher.core.limits import Limits
from docs_researcher.runtime.setting_values import READERS
from docs_researcher.runtime.settings import LIMIT_KEYS, TOP_KEYS, Settings, load_settings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The root of a repository without settings."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """An environment in which the user's configuration lies below `tmp_path`."""
    return {"DOCS_RESEARCH_HOME": str(tmp_path / "home")}


def user_file(variables: Mapping[str, str], text: str) -> Path:
    path = Path(variables["DOCS_RESEARCH_HOME"]) / "config" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def project_file(project: Path, text: str) -> Path:
    path = project / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    return path


ALL = """\
model = "haiku"
docs_from = "mcp:context7"
answer_tokens = 900
offline = true
strict_version = false
server_notes = false
agent = "demo"
prices = "prices.toml"
disk_mb = 500

[limits]
turns = 5
resolve_calls = 0
query_calls = 2
tokens_read = 20_000
seconds = 30
cost = 0.05
"""


def test_without_any_file_nothing_is_settled(project: Path, variables: dict[str, str]) -> None:
    assert load_settings(project, variables=variables) == Settings()


def test_every_key_of_the_users_file_is_read(project: Path, variables: dict[str, str]) -> None:
    path = user_file(variables, ALL)
    limits = {"turns": 5, "resolve_calls": 0, "query_calls": 2, "tokens_read": 20_000, "seconds": 30.0, "cost": 0.05}
    assert load_settings(project, variables=variables) == Settings(
        "haiku", "mcp:context7", 900, True, False, False, "demo", path.parent / "prices.toml", limits, disk_mb=500
    )


def test_every_key_has_a_reader_and_a_field() -> None:
    assert set(READERS) == {*TOP_KEYS, *LIMIT_KEYS}
    assert set(LIMIT_KEYS) | {"answer_tokens"} == set(Limits.__dataclass_fields__)
    assert set(TOP_KEYS) | {"limits", "notices"} == set(Settings.__dataclass_fields__)


def test_a_flag_wins_over_a_variable_over_the_project_over_the_user(project: Path, variables: dict[str, str]) -> None:
    user_file(variables, 'model = "user"\n[limits]\nturns = 1\nquery_calls = 1\n')
    settings = load_settings(project, variables=variables)
    assert (settings.model, settings.limits["turns"]) == ("user", 1)
    project_file(project, '[tool.docs-research]\nmodel = "project"\nlimits.turns = 2\n')
    settings = load_settings(project, variables=variables)
    assert (settings.model, settings.limits["turns"]) == ("project", 2)
    variables |= {"DOCS_RESEARCH_MODEL": "variable", "DOCS_RESEARCH_TURNS": "3"}
    settings = load_settings(project, variables=variables)
    assert (settings.model, settings.limits["turns"]) == ("variable", 3)
    settings = settings.with_flags({"model": "flag", "turns": 4, "offline": False, "seconds": None})
    assert (settings.model, settings.limits["turns"], settings.offline) == ("flag", 4, None)
    assert settings.limits_over(Limits(seconds=9.0)) == Limits(turns=4, query_calls=1, seconds=9.0)


def test_a_switch_that_is_not_given_leaves_what_is_settled(project: Path, variables: dict[str, str]) -> None:
    user_file(variables, "offline = true\n")
    assert load_settings(project, variables=variables).with_flags({"offline": False}).offline is True


def test_flags_keep_the_notices(project: Path, variables: dict[str, str]) -> None:
    user_file(variables, "mdoel = 1\n")
    assert len(load_settings(project, variables=variables).with_flags({"turns": 2}).notices) == 1


def test_answer_tokens_are_a_limit_too() -> None:
    assert Settings(answer_tokens=700).limits_over(Limits()).answer_tokens == 700


@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("MODEL", "opus", "model", "opus"),
        ("DOCS_FROM", "mcp:context7", "docs_from", "mcp:context7"),
        ("ANSWER_TOKENS", "800", "answer_tokens", 800),
        ("OFFLINE", "1", "offline", True),
        ("OFFLINE", "No", "offline", False),
        ("STRICT_VERSION", "true", "strict_version", True),
        ("AGENT", "demo", "agent", "demo"),
        ("PRICES", "/tmp/p.toml", "prices", Path("/tmp/p.toml")),
        ("TURNS", " 4 ", "limits", {"turns": 4}),
        ("SECONDS", "12.5", "limits", {"seconds": 12.5}),
        ("COST", "1", "limits", {"cost": 1.0}),
        ("QUERY_CALLS", "0", "limits", {"query_calls": 0}),
        ("MODEL", "", "model", None),
    ],
)
def test_a_variable_is_read(project: Path, variables: dict[str, str], variable: str, text: str, key: str, value: object) -> None:
    variables[f"DOCS_RESEARCH_{variable}"] = text
    assert getattr(load_settings(project, variables=variables), key) == value


@pytest.mark.parametrize(
    ("variable", "text"),
    [("TURNS", "many"), ("TURNS", "0"), ("TURNS", "2.5"), ("SECONDS", "inf"), ("OFFLINE", "maybe"), ("DOCS_FROM", "moon")],
)
def test_a_variable_that_cannot_be_is_named(project: Path, variables: dict[str, str], variable: str, text: str) -> None:
    variables[f"DOCS_RESEARCH_{variable}"] = text
    with pytest.raises(ConfigurationError, match=f"DOCS_RESEARCH_{variable} cannot be '{text}'"):
        load_settings(project, variables=variables)


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("# c\nmodel = 3\n", 2, "model"),
        ('model = "  "\n', 1, "model"),
        ('answer_tokens = "900"\n', 1, "answer_tokens"),
        ("answer_tokens = 10\n", 1, "answer_tokens"),
        ("offline = 1\n", 1, "offline"),
        ('docs_from = "mcp:"\n', 1, "docs_from"),
        ("limits = 3\n", 1, "limits"),
        ("[limits]\nturns = 0\n", 2, "limits.turns"),
        ("[limits]\nturns = true\n", 2, "limits.turns"),
        ("[ limits ] # c\n'turns' = 1.5\n", 2, "limits.turns"),
        ("[limits]\nseconds = nan\n", 2, "limits.seconds"),
        ("limits.cost = -1\n", 1, "limits.cost"),
        ('\nlimits = { turns = "x" }\n', 2, "limits.turns"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_file_line_and_key(
    project: Path, variables: dict[str, str], text: str, line: int, key: str
) -> None:
    path = user_file(variables, text)
    with pytest.raises(ConfigurationError) as caught:
        load_settings(project, variables=variables)
    assert caught.value.what.startswith(f"{path}:{line}: `{key}`")
    assert caught.value.next_step.startswith("Write ")


def test_a_projects_value_is_named_under_its_whole_key(project: Path, variables: dict[str, str]) -> None:
    path = project_file(project, '[project]\nname = "x"\n\n[tool.docs-research.limits]\nturns = "x"\n')
    with pytest.raises(ConfigurationError) as caught:
        load_settings(project, variables=variables)
    assert caught.value.what.startswith(f"{path}:5: `tool.docs-research.limits.turns`")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"model = \n", "line 1"),
        (b"\xff\xfe", "config.toml:1: this is not UTF-8"),
        (b"#" * 1_100_000, "more than 1,048,576 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(project: Path, variables: dict[str, str], data: bytes, says: str) -> None:
    user_file(variables, "").write_bytes(data)
    with pytest.raises(ConfigurationError) as caught:
        load_settings(project, variables=variables)
    assert says in caught.value.message


def test_unknown_keys_are_told_and_stop_nothing(project: Path, variables: dict[str, str]) -> None:
    path = user_file(variables, 'modle = "x"\nmodel = "haiku"\n[limits]\nzzz = 1\n[mcp_servers.context7]\ncommand = "x"\n')
    settings = load_settings(project, variables=variables)
    assert settings.model == "haiku"
    assert settings.notices == (
        f"{path}:1: the key `modle` is not known and has no effect; did you mean `model`?",
        f"{path}:4: the key `limits.zzz` is not known and has no effect.",
    )


def test_a_byte_order_mark_and_crlf_are_read(project: Path, variables: dict[str, str]) -> None:
    user_file(variables, "").write_bytes(b'\xef\xbb\xbfmodel = "haiku"\r\n[limits]\r\nturns = 3\r\n')
    settings = load_settings(project, variables=variables)
    assert (settings.model, settings.limits) == ("haiku", {"turns": 3})


def test_a_file_that_is_named_has_to_be_there(project: Path, tmp_path: Path, variables: dict[str, str]) -> None:
    missing = tmp_path / "none.toml"
    for options in ({"config": missing}, {"variables": {**variables, "DOCS_RESEARCH_CONFIG": str(missing)}}):
        with pytest.raises(ConfigurationError, match=r"none\.toml cannot be read"):
            load_settings(project, **{"variables": variables, **options})  # pyright: ignore[reportArgumentType] -- one of the two


def test_a_named_file_stands_in_for_the_users(project: Path, tmp_path: Path, variables: dict[str, str]) -> None:
    user_file(variables, 'model = "user"\nanswer_tokens = 500\n')
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text('model = "one"\n', encoding="utf-8")
    other.write_text('model = "other"\n', encoding="utf-8")
    variables["DOCS_RESEARCH_CONFIG"] = str(one)
    assert load_settings(project, variables=variables) == Settings(model="one")
    assert load_settings(project, config=other, variables=variables) == Settings(model="other")


def test_an_agents_file_is_looked_for_beside_the_file_that_names_it(project: Path, variables: dict[str, str]) -> None:
    path = user_file(variables, 'agent = "mine.md"\n')
    assert load_settings(project, variables=variables).agent == str(path.parent / "mine.md")
    project_file(project, '[tool.docs-research]\nagent = ".docs-research/agents/x.md"\n')
    assert load_settings(project, variables=variables).agent == str(project / ".docs-research/agents/x.md")


@pytest.mark.parametrize(
    ("line", "key", "why"),
    [
        ('docs_from = "mcp:evil"', "docs_from", "a project may name no server"),
        ('prices = "free.toml"', "prices", "prices are the user's own"),
        ('agent = "../outside.md"', "agent", "a project may name no agent outside of it"),
        ('agent = "/etc/agent.md"', "agent", "a project may name no agent outside of it"),
        ('agent = "link/agent.md"', "agent", "a project may name no agent outside of it"),
        ("limits.cost = 9", "cost", "a project may not raise the user's limit of 0.5 dollars"),
    ],
)
def test_what_a_project_may_not_say_is_left_out_and_told(
    project: Path, tmp_path: Path, variables: dict[str, str], line: str, key: str, why: str
) -> None:
    (project / "link").symlink_to(tmp_path, target_is_directory=True)
    user_file(variables, 'model = "haiku"\n[limits]\ncost = 0.5\n')
    path = project_file(project, f"[tool.docs-research]\n{line}\n")
    settings = load_settings(project, variables=variables)
    assert (settings.model, settings.agent, settings.prices, settings.docs_from) == ("haiku", None, None, None)
    assert settings.limits == {"cost": 0.5}
    assert settings.notices == (f"{path}:2: `{key}` is left out: {why}; put it into your own config.toml.",)


@pytest.mark.parametrize("key", ["command", "mcp_servers", "servers", "yes"])
def test_a_project_can_name_no_command_and_no_server(project: Path, variables: dict[str, str], key: str) -> None:
    project_file(project, f'[tool.docs-research]\n{key} = {{ evil = "x" }}\n')
    settings = load_settings(project, variables=variables)
    assert settings.notices and "has no effect" in settings.notices[0]
    assert settings == Settings(notices=settings.notices)


def test_a_project_may_lower_the_users_limit_of_cost(project: Path, variables: dict[str, str]) -> None:
    user_file(variables, "limits.cost = 0.5\n")
    project_file(project, "[tool.docs-research]\nlimits.cost = 0.1\n")
    assert load_settings(project, variables=variables).limits == {"cost": 0.1}


def test_the_nearest_project_file_with_settings_counts(project: Path, variables: dict[str, str]) -> None:
    inner = project / "packages" / "app"
    inner.mkdir(parents=True)
    project_file(project, '[tool.docs-research]\nmodel = "outer"\n')
    project_file(inner, '[project]\nname = "app"\ndependencies = ["docs-researcher"]\n')
    assert load_settings(inner, variables=variables).model == "outer"
    project_file(inner, '[tool.docs-research]\nmodel = "inner"\n')
    assert load_settings(inner, variables=variables).model == "inner"


def test_nothing_above_the_repository_is_read(project: Path, variables: dict[str, str]) -> None:
    project_file(project.parent, '[tool.docs-research]\nmodel = "outside"\n')
    assert load_settings(project, variables=variables).model is None


def test_another_tools_mistake_in_pyproject_is_none_of_ours(project: Path, variables: dict[str, str]) -> None:
    project_file(project, "[tool.black\nbroken\n")
    assert load_settings(project, variables=variables) == Settings()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_place_of_a_projects_file_blocks_nobody(project: Path, variables: dict[str, str]) -> None:
    os.mkfifo(project / "pyproject.toml")
    assert load_settings(project, variables=variables) == Settings()


SCRIPT = """\
import json, sys
from pathlib import Path
from docs_researcher.runtime.settings import load_settings
before = set(sys.modules)
load_settings(Path(sys.argv[1]))
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.mark.interop
def test_without_a_file_nothing_is_imported(project: Path, home: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(project)], capture_output=True, timeout=50, check=True)
    assert json.loads(done.stdout) == []


@pytest.mark.interop
def test_a_pyproject_without_our_table_does_not_start_the_toml_parser(project: Path, home: Path) -> None:
    project_file(project, '[project]\nname = "x"\ndependencies = ["docs-researcher>=0.1"]\n')
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(project)], capture_output=True, timeout=50, check=True)
    assert [name for name in json.loads(done.stdout) if not name.startswith("docs_researcher.")] == []


@pytest.mark.parametrize(
    ("key", "value"), [("seconds", float("nan")), ("seconds", -1.0), ("turns", 0), ("answer_tokens", 5), ("model", " ")]
)
def test_a_flag_that_cannot_be_is_a_wrong_argument(key: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"--{key.replace('_', '-')} cannot be"):
        Settings().with_flags({key: value})


def test_a_flag_that_is_no_setting_is_passed_over() -> None:
    assert Settings().with_flags({"trace": "x", "library": "next"}) == Settings()
