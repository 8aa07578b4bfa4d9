"""What the pages on configuration and agents show works as they show it, and no key is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs_researcher.core.limits import Limits
from docs_researcher.core.messages import ModelUsage
from docs_researcher.definition.loader import parse_definition
from docs_researcher.definition.schema import definition_notices
from docs_researcher.runtime.prices import cost_of, load_prices
from docs_researcher.runtime.settings import LIMIT_KEYS, TOP_KEYS, load_settings

DOCS = Path(__file__).parents[2] / "docs"
CONFIGURATION = (DOCS / "configuration.md").read_text(encoding="utf-8")
AGENTS = (DOCS / "agents.md").read_text(encoding="utf-8")
USER, PROJECT, PRICES = re.findall(r"```toml\n(.*?)```", CONFIGURATION, flags=re.DOTALL)


def test_the_users_file_sets_every_key(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(USER, encoding="utf-8")
    settings = load_settings(tmp_path, config=path, variables={})
    assert settings.notices == ()
    assert [key for key in TOP_KEYS if getattr(settings, key) is None] == []
    assert set(settings.limits) == set(LIMIT_KEYS)


def test_the_projects_file_is_accepted_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    settings = load_settings(tmp_path, variables={"DOCS_RESEARCH_HOME": str(tmp_path / "home")})
    assert settings.notices == ()
    assert (settings.strict_version, settings.limits) == (True, {"query_calls": 2})
    assert settings.agent == str(tmp_path / ".docs-research/agents/house.md")


def test_the_price_list_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES, encoding="utf-8")
    prices = load_prices(path)
    assert cost_of("claude-haiku-5-5", ModelUsage(input_tokens=1_000_000), prices) == 1.0


@pytest.mark.parametrize("key", [*TOP_KEYS, *LIMIT_KEYS])
def test_every_key_stands_in_the_table_with_its_variable(key: str) -> None:
    name = f"limits.{key}" if key in LIMIT_KEYS else key
    row = next(line for line in CONFIGURATION.splitlines() if line.startswith(f"| `{name}` |"))
    assert f"`DOCS_RESEARCH_{key.upper()}`" in row


def test_the_agent_of_the_page_is_in_order() -> None:
    text = re.findall(r"```markdown\n(.*?)```", AGENTS, flags=re.DOTALL)[0]
    definition = parse_definition(text)
    assert definition_notices(definition, ("resolve-library-id", "query-docs")) == ()
    assert definition.limits == Limits(answer_tokens=400, seconds=30)


def test_every_limit_of_an_agent_stands_on_its_page() -> None:
    row = next(line for line in AGENTS.splitlines() if line.startswith("| `docs-research.limits` |"))
    assert [name for name in Limits.__dataclass_fields__ if f"`{name}`" not in row] == []
