"""The agents of a sweep, built-in ones and the user's, and which parameters each has."""

import dataclasses
from pathlib import Path
from typing import Any

from rb_core.agents import AGENTS
from rb_core.checks import InputError, choice, failures_of, number
from rb_core.conformance import check_agent
from rb_core.evaluation import COMPARED
from rb_core.lab.notebooks import KINDS, Parameter
from rb_core.lab.sweep.texts import several, single
from rb_core.lab.user_agents import labels_of, load_user_agent


class Agents:
    """The agents by the names that the file has for them.

    Attributes
    ----------
    labels : what figures and tables call them
    known : all parameters that any agent has, of this sweep or built in
    """

    def __init__(
        self,
        content: dict[str, Any],
        points: list[dict[str, Any]],
        folder: Path,
    ):
        built_in: dict[str, Any] = {name: listed.make(1.0) for name, listed in AGENTS.items()}
        named = [single("agent", point["agent"]) for point in points if "agent" in point]
        if "agents" in content and len(named) == len(points):
            raise InputError("Agents are named under agents or in each item of the list, not both.")
        if "agents" in content:
            self.of_all = [single("agents", name) for name in several(content, "agents")]
        else:
            self.of_all = list(COMPARED)
        names = dict.fromkeys(named if len(named) == len(points) else [*self.of_all, *named])
        self.agents: dict[str, Any] = {
            name: load_user_agent(name, 1.0, folder) if ":" in name
            else built_in[choice("agent", name, built_in)] for name in names
        }
        self.own = labels_of([name for name in names if ":" in name], built_in)
        self.labels = {name: self.own.get(name, name) for name in names}
        self.accepted: dict[tuple, Any] = {}
        self.known = {field.name for agent in (*built_in.values(), *self.agents.values())
                      for field in dataclasses.fields(agent)}

    def with_points(self, points: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
        """Every agent with every point that is for it."""
        return [(name, point) for name in self.agents for point in points
                if name == point.get("agent", name if name in self.of_all else None)]

    def parameters(self, name: str) -> dict[str, dataclasses.Field]:
        """The fields of an agent that may be varied, by name."""
        return {field.name: field for field in dataclasses.fields(self.agents[name])
                if name not in AGENTS or field.name not in AGENTS[name].fixed}

    def check_that_some_have(self, parameter: str) -> None:
        """Refuse a parameter that would change nothing."""
        if not any(parameter in self.parameters(name) for name in self.agents):
            raise InputError(
                f"{parameter} applies to none of the agents: {', '.join(self.agents)}."
            )

    def with_values(self, name: str, texts: dict[str, str], gamma: float) -> Any:
        """The agent with the given parameters, if it accepts them; others leave it as it is."""
        fields, values = self.parameters(name), {"gamma": gamma}
        for key, text in texts.items():
            if key in fields:
                values[key] = _as_annotated(key, text, fields[key].type, self.labels[name])
        number("gamma", values["gamma"], 0, 1, open_low=True)
        pairs = tuple((key, value) for key, value in values.items() if key in fields)
        if (name, pairs) not in self.accepted:
            self.accepted[name, pairs] = self._made(name, dict(pairs))
        return self.accepted[name, pairs]

    def _made(self, name: str, values: dict[str, Any]) -> Any:
        said = ", ".join(f"{key} = {value!r}" for key, value in values.items())
        with failures_of(f"{self.labels[name]} with {said}"):
            agent = dataclasses.replace(self.agents[name], **values)
            hash(agent)  # by which equal combinations are found
        if name in self.own:
            check_agent(agent)
        return agent


def _as_annotated(key: str, text: str, annotation: Any, of: str) -> Any:
    kind = KINDS.get(getattr(annotation, "__name__", annotation))
    if kind is None:
        raise InputError(f"{key} of {of} cannot be varied: it is no int, float, str or bool.")
    return Parameter(key, kind, None, "").parsed(single(key, text))
