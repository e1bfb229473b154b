"""The agents of a sweep, built-in ones and the user's, and which parameters each has."""

import dataclasses

from rb_core.agents import RGPTS, RandomPull
from rb_core.conformance import check_agent
from rb_core.errors import InputError, choice, number, shown
from rb_core.foreign import load_agent
from rb_core.notebook import KINDS, Parameter
from rb_core.settings import agents_at
from rb_core.sweep.texts import several, single

# What an agent's name says already; to vary a lookahead there is RGP-TS.
FIXED = {"SS-SARSA (sep.)": ("visits",), "1RGP-TS": ("lookahead",), "2RGP-TS": ("lookahead",)}


class Agents:
    """The agents by the names that the file has for them.

    Attributes
    ----------
    labels : what figures and tables call them
    known : all parameters that any agent has, of this sweep or built in
    """

    def __init__(self, content, points, experiment, folder):
        built_in = {**agents_at(1.0), "RGP-TS": RGPTS(), "RandomPull": RandomPull()}
        named = [single("agent", point["agent"]) for point in points if "agent" in point]
        if "agents" in content and len(named) == len(points):
            raise InputError("Agents are named under agents or in each item of the list, not both.")
        if "agents" in content:
            self.of_all = [single("agents", name) for name in several(content, "agents")]
        else:
            self.of_all = list(experiment.agents() if experiment else agents_at(1.0))
        self.own, self.agents, self.accepted = set(), {}, {}
        for name in named if len(named) == len(points) else [*self.of_all, *named]:
            if ":" in name:
                self.own.add(name)
                self.agents[name] = load_agent(name, 1.0, folder)
            else:
                self.agents[name] = built_in[choice("agent", name, built_in)]
        self.labels = {name: self._label(name, built_in) for name in self.agents}
        self.known = {field.name for agent in (*built_in.values(), *self.agents.values())
                      for field in dataclasses.fields(agent)}

    def _label(self, name, built_in):
        """The class of an agent of the user's, if that says which one it is."""
        short = name.partition(":")[2]
        same = [other for other in self.own if other.partition(":")[2] == short]
        return short if name in self.own and len(same) == 1 and short not in built_in else name

    def with_points(self, points):
        """Every agent with every point that is for it."""
        return [(name, point) for name in self.agents for point in points
                if name == point.get("agent", name if name in self.of_all else None)]

    def parameters(self, name):
        """The fields of an agent that may be varied, by name."""
        return {field.name: field for field in dataclasses.fields(self.agents[name])
                if field.name not in FIXED.get(name, ())}

    def check_that_some_have(self, parameter):
        """Refuse a parameter that would change nothing."""
        if not any(parameter in self.parameters(name) for name in self.agents):
            raise InputError(
                f"{parameter} applies to none of the agents: {', '.join(self.agents)}."
            )

    def with_values(self, name, texts, gamma):
        """The agent with the given parameters, if it accepts them; others leave it as it is."""
        fields, values = self.parameters(name), {"gamma": gamma}
        for key, text in texts.items():
            if key in fields:
                values[key] = _as_annotated(key, text, fields[key].type, self.labels[name])
        number("gamma", values["gamma"], 0, 1, open_low=True)
        values = tuple((key, value) for key, value in values.items() if key in fields)
        if (name, values) not in self.accepted:
            self.accepted[name, values] = self._made(name, dict(values))
        return self.accepted[name, values]

    def _made(self, name, values):
        try:
            agent = dataclasses.replace(self.agents[name], **values)
            hash(agent)  # by which equal runs are found
        except InputError:
            raise
        except Exception as error:  # whatever a class of the user's says
            said = ", ".join(f"{key} = {value!r}" for key, value in values.items())
            raise InputError(
                f"{self.labels[name]} cannot be had with {said}: {shown(str(error))}."
            ) from None
        if name in self.own:
            check_agent(agent)
        return agent


def _as_annotated(key, text, annotation, of):
    kind = KINDS.get(getattr(annotation, "__name__", annotation))
    if kind is None:
        raise InputError(f"{key} of {of} cannot be varied: it is no int, float, str or bool.")
    return Parameter(key, kind, None, "").parsed(single(key, text))
