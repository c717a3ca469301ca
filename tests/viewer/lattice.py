# SPDX-License-Identifier: BSD-3-Clause
"""A deck of many beams: a tower of cells n x n x m, pushed at its top."""


def lattice_deck(n, m, steps):
    rows = ["format: polhode-deck/1", "title: Lattice", "nodes:"]
    cells = [(i, j, k) for i in range(n + 1) for j in range(n + 1) for k in range(m + 1)]
    rows += [f"  n{i}_{j}_{k}: {{position: [{i}, {j}, {k}]{', fixed: true' if k == 0 else ''}}}" for i, j, k in cells]
    rows += ["sections: {s: {shape: circle, radius: 0.05, E: 2.0e+9, nu: 0.3, density: 1000}}", "beams:"]
    count = 0
    for i, j, k in cells:
        for a, b, c in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            if i + a <= n and j + b <= n and k + c <= m:
                rows.append(f"  b{count}: {{section: s, from: n{i}_{j}_{k}, to: n{i + a}_{j + b}_{k + c}, elements: 1, "
                            "orientation: [0.3, 0.5, 0.8]}")
                count += 1
    rows += ["forces:", f"  push: {{type: load, node: n0_0_{m}, force: [2000, 500, 0], history: '=sin(20*t)'}}",
             f"analysis: {{type: transient, duration: {0.005 * steps}, step: 0.005, newton: {{jacobian: kept}}}}"]
    return "\n".join(rows) + "\n"
