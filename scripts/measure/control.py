# SPDX-License-Identifier: BSD-3-Clause
"""What controllers cost: ten PID controllers on a robot arm against motors that are functions of time.

Two arms: ten hinges about alternating axes with a motor each, and the seven-axis arm of the examples with seven motors
and three loads on its tip. Both decks of an arm differ in what their motors and loads follow alone. The share is that of
instructions of a step, which is one solve: what lies between two lengths of run.
"""
import pathlib
import tempfile

import models
from program import ROOT, count_instructions

STEP = 0.001  # s, small enough for one solve
BOUND = 15    # percent of a step


def pid(wanted, measured, rate, gain, limit):
    """Follows what is wanted, and damps the measured rate, as controllers of machines do."""
    return {"type": "pid", "input": f"={wanted} - {measured}", "rate": f"=-{rate}", "kp": gain, "ki": gain, "kd": 0.2 * gain,
            "limit": [-limit, limit]}


def arm_of_hinges(controlled):
    """Ten links of 0.3 m from the ground, hinges about y and z in turn, without gravity."""
    deck = models.Deck(gravity=(0, 0, 0), newton={})
    before = "ground"
    for k in range(10):
        deck.body(f"b{k}", [0.3 * k + 0.15, 0, 0])
        motor = f"=sin(3*t + {k})"
        if controlled:
            motor = f"torque{k}"
            deck.add("signals", f"angle{k}", of=f"joints.j{k}.coordinates")
            deck.add("signals", f"rate{k}", of=f"joints.j{k}.rates")
            deck.add("signals", motor, **pid(f"0.2*sin(3*t + {k})", f"angle{k}", f"rate{k}", 20, 40))
        deck.add("joints", f"j{k}", type="revolute", connects=[before, f"b{k}"], at=[0.3 * k, 0, 0],
                 axis=[0, 1, 0] if k % 2 else [0, 0, 1], motor=motor)
        before = f"b{k}"
    return deck.text()


def seven_axis_arm(controlled):
    """The arm of the examples without gravity; a load along each axis on the last link holds the place of that."""
    text = (ROOT / "inputs/examples/robot_arm_falls.yaml").read_text(encoding="utf-8")
    text = text[:text.index("output:")].replace("gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]")
    signals, loads = {}, {}
    for k in range(1, 8):
        motor = f"torque{k}" if controlled else f'"={1 / k**2:.3g}*sin(3*t + {k})"'
        text = text.replace(f"  j{k}: {{type: revolute,", f"  j{k}: {{type: revolute, motor: {motor},")
        signals[f"angle{k}"] = {"of": f"joints.j{k}.coordinates"}
        signals[f"rate{k}"] = {"of": f"joints.j{k}.rates"}
        signals[f"torque{k}"] = pid(f"0.2*sin(3*t + {k})", f"angle{k}", f"rate{k}", 60, 80)
    for k, axis in enumerate("xyz"):
        along = [float(axis == one) for one in "xyz"]
        history = f"push_{axis}" if controlled else f"=0.1*sin(2*t + {k})"
        loads[f"push_{axis}"] = {"type": "load", "node": "link7", "force": along, "history": history}
        signals[axis] = {"of": f"nodes.link7.position.{axis}"}
        signals[f"d{axis}"] = {"of": f"nodes.link7.velocity.{axis}"}
        signals[f"push_{axis}"] = pid(f"0.3 + 0.1*sin(2*t + {k})", axis, f"d{axis}", 40, 60)
    return text + models.entries("forces", loads) + (models.entries("signals", signals) if controlled else "")


ARMS = {"arm of ten hinges": arm_of_hinges, "seven-axis arm": seven_axis_arm}
STEPS = (100, 400)  # of both runs


def instructions_a_solve(program, deck):
    runs = [count_instructions(program, deck, {"analysis.step": STEP, "analysis.duration": repr(STEP * steps),
                                               "output.every": 1000000}) for steps in STEPS]
    return (runs[1].instructions - runs[0].instructions) / (runs[1].solves - runs[0].solves)


def count_all(arms, programs, say):
    """By program and arm: instructions a solve with motors by time, then with controllers."""
    figures = {name: {arm: [] for arm in arms} for name in programs}
    with tempfile.TemporaryDirectory(prefix="polhode_bench_") as folder:
        deck = pathlib.Path(folder, "arm.yaml")
        for arm in arms:
            say(f"  {arm}")
            for controlled in (False, True):
                deck.write_text(ARMS[arm](controlled), encoding="utf-8")
                for name, program in programs.items():
                    figures[name][arm].append(instructions_a_solve(program, deck))
    return figures
