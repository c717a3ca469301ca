#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Moments of the motors of the driven robot arm by a second way: the numbers that robot_arm_test.cpp compares with.

Recursive Newton-Euler algorithm (J. Y. S. Luh, M. W. Walker and R. P. C. Paul, On-line computational scheme for mechanical
manipulators, 1980): velocities and accelerations outwards from the base, forces and moments inwards from the hand, on the angles
of the joints alone. It shares with polhode the data of the links, and neither unknowns nor constraints.

usage: robot_arm.py DECK        (prints time and seven moments, N m)
"""
import sys

import numpy as np
import yaml

QUARTER_TURNS = [0, -1, 1, 1, -1, 1, 1]  # about x, from a link's frame to the next joint
OFFSETS = [[0, 0, 0.333], [0, 0, 0], [0, -0.316, 0], [0.0825, 0, 0], [-0.0825, 0.384, 0], [0, 0, 0], [0.088, 0, 0]]
TRAVEL = np.array([1.0, -0.7, 0.8, 0.9, -1.2, -1.0, 1.5])  # of the joints in 1 s
UP = np.array([0, 0, 1.0])


def motion(start, t):
    """Angles, their rates and accelerations."""
    s = [10 * t**3 - 15 * t**4 + 6 * t**5, 30 * t**2 - 60 * t**3 + 30 * t**4, 60 * t - 180 * t**2 + 120 * t**3]
    return start + TRAVEL * s[0], TRAVEL * s[1], TRAVEL * s[2]


def turn(quarters, angle):
    """Components in the link's frame to those in the parent's."""
    c, s = np.cos(angle), np.sin(angle)
    about_x = np.array([[1, 0, 0], [0, quarters == 0, -quarters], [0, quarters, quarters == 0]], float)
    return about_x @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def moments(links, start, t):
    q, dq, ddq = motion(start, t)
    omega, alpha, acceleration = np.zeros(3), np.zeros(3), 9.81 * UP  # of the frame, in its own components
    turns, forces, torques = [], [], []
    for i, (mass, centre, inertia) in enumerate(links):
        R, offset = turn(QUARTER_TURNS[i], q[i]), np.array(OFFSETS[i])
        acceleration = R.T @ (acceleration + np.cross(alpha, offset) + np.cross(omega, np.cross(omega, offset)))
        omega, alpha = R.T @ omega, R.T @ alpha
        alpha = alpha + np.cross(omega, UP * dq[i]) + UP * ddq[i]
        omega = omega + UP * dq[i]
        of_centre = acceleration + np.cross(alpha, centre) + np.cross(omega, np.cross(omega, centre))
        turns.append(R)
        forces.append(mass * of_centre)
        torques.append(inertia @ alpha + np.cross(omega, inertia @ omega) + np.cross(centre, forces[-1]))
    needed = np.zeros(7)
    for i in reversed(range(7)):
        needed[i] = torques[i][2]
        if i > 0:
            force = turns[i] @ forces[i]
            forces[i - 1] = forces[i - 1] + force
            torques[i - 1] = torques[i - 1] + turns[i] @ torques[i] + np.cross(OFFSETS[i], force)
    return needed


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        deck = yaml.safe_load(stream)
    bodies = [deck["bodies"][f"link{i}"] for i in range(1, 8)]
    links = [(float(b["mass"]), np.array(b["center_of_mass"], float), np.array(b["inertia"], float)) for b in bodies]
    start = np.array([deck["parameters"][f"q{i}"] for i in range(1, 8)], float)
    for t in (0.25, 0.5, 0.75, 1.0):
        print(f"{t:.2f}", ", ".join(f"{m:.12g}" for m in moments(links, start, t)))


main()
