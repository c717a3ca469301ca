# SPDX-License-Identifier: BSD-3-Clause
"""Histories that a page can plot: which there are, where each thing's numbers stand, and what fits into the page."""
import numpy as np

XYZ = ["x", "y", "z"]
SECTION = ["N", "Qy", "Qz", "Mx", "My", "Mz"]
STRAIN = ["axial strain", "shear y", "shear z", "twist", "curvature y", "curvature z"]
# Group, quantity, label, components (or None), share of the bytes that may be taken: the most looked-at come first.
WANTED = [
    ("beams", "forces", "section force", SECTION), ("joints", "force", "force", XYZ),
    ("joints", "coordinates", "coordinates", None), ("reactions", "force", "reaction", XYZ),
    ("forces", "force", "force", None), ("forces", "length", "length", None), ("forces", "road", "road height", None),
    ("nodes", "velocity", "velocity", XYZ), ("joints", "moment", "moment", XYZ),
    ("reactions", "moment", "reaction moment", XYZ), ("forces", "moment", "moment", None),
    ("forces", "angle", "angle", None), ("forces", "deflection", "deflection", None),
    ("joints", "axis_torque", "torque about the axis", None), ("joints", "axis_force", "force along the axis", None),
    ("joints", "rates", "rates of the coordinates", None),
    ("nodes", "angular_velocity", "angular velocity (node's frame)", XYZ), ("beams", "strains", "strain", STRAIN),
    ("nodes", "acceleration", "acceleration", XYZ)]
OF_RUN = [("energy/total", "total energy"), ("energy/kinetic", "kinetic energy"), ("energy/strain", "strain energy"),
          ("energy/gravity", "energy of gravity"), ("energy/external_work", "work done on the model"),
          ("invariants/linear_momentum", "linear momentum"), ("invariants/angular_momentum", "angular momentum"),
          ("static/load_factor", "load factor")]


def shared(results, group, quantity):
    """History [T, K] of all entities and [entity, (first, count)] of its columns; None where there is none."""
    path = f"/{group}/{quantity}"
    names = results.table_names(group)
    data = results.file.get(path)
    if group == "nodes":
        return results.history(path) if data is not None and data.shape[0] else None, None
    if data is None or not hasattr(data, "shape") or "names" not in data.attrs:
        return gathered(results, group, quantity, names)  # version 1
    if data.shape[0] == 0 or 0 in data.shape:
        return None, None
    width = int(np.prod(data.shape[2:]))
    if "ranges" in data.attrs:
        ranges = results.file[data.attrs["ranges"]][()].astype(int) * width
    elif "items" in data.attrs:
        items = results.file[data.attrs["items"]][()].astype(int)
        ranges = np.stack([np.maximum(items, 0) * width, np.where(items >= 0, width, 0)], axis=1)
    else:
        ranges = np.stack([np.arange(len(names)) * width, np.full(len(names), width)], axis=1)
    return results.history(path), ranges


def gathered(results, group, quantity, names):
    parts, ranges, place = [], [], 0
    for name in names:
        path = f"/{group}/{name}/{quantity}"
        part = results.history(path) if results.has(path) else np.zeros((len(results.time), 0))
        part = part.reshape(len(results.time), -1)
        parts.append(part)
        ranges.append([place, part.shape[1]])
        place += part.shape[1]
    return (np.hstack(parts), np.array(ranges)) if place else (None, None)


def columns_of(results, group, quantity):
    """Number of numbers in a state, without reading them."""
    data = results.file.get(f"/{group}/{quantity}")
    if data is None or not hasattr(data, "shape"):
        return 0
    return int(np.prod(data.shape[1:]))


def add_channels(results, packer, room, depth):
    """Adds what fits into `room` bytes; returns the table of channels, and labels of what did not fit."""
    states, table, dropped = len(results.time), [], []
    for group, quantity, label, components in WANTED:
        if group != "nodes" and not results.table_names(group):
            continue
        number = columns_of(results, group, quantity) * states
        # Section forces are worth a coarse form, for colors.
        fit = next((d for d in (depth, 1) if number * d <= room and (d == depth or quantity == "forces")), None)
        if fit is None:
            dropped.append(f"{group} {label}")
            continue
        data, ranges = shared(results, group, quantity)
        if data is None:
            continue
        name = f"{group}/{quantity}"
        packer.add_history(name, data.reshape(len(data), -1), fit)
        room -= data.size * fit
        units = results.file[name].attrs.get("units", "") if name in results.file else ""
        one = {"group": group, "key": quantity, "label": label, "array": name, "components": components,
               "units": units.decode() if isinstance(units, bytes) else str(units)}
        if ranges is not None:
            packer.add(name + ".ranges", ranges, "i4")
        table.append(one)
    for path, label in OF_RUN:
        if path in results.file and results.file[path].shape[0] >= states and states > 1:
            data = results.history("/" + path).reshape(states, -1)
            packer.add_history(path, data, depth)
            table.append({"group": "run", "key": path, "label": label, "array": path,
                          "units": results.units("/" + path), "components": XYZ if data.shape[1] == 3 else None})
    return table, dropped
