# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of a deck for the pictures: plain, or an expression of the deck's parameters."""
import ast
import math
import operator

import numpy as np

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.Pow: operator.pow, ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Lt: operator.lt,
             ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne}
FUNCTIONS = {name: getattr(math, name) for name in (
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log2 log10 sqrt hypot fmod floor ceil"
).split()}
FUNCTIONS |= {"abs": abs, "min": min, "max": max, "ln": math.log, "sum": lambda *a: sum(a), "rint": round}


def _to_python(text):
    """The deck's syntax in Python's: ^ for powers, cond ? a : b (the outermost one first)."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "?" and depth == 0:
            nested = 0
            for j in range(i + 1, len(text)):
                nested += (text[j] == "?") - (text[j] == ":")
                if nested < 0:
                    condition, first, second = text[:i], text[i + 1:j], text[j + 1:]
                    return f"({_to_python(first)}) if ({_to_python(condition)}) else ({_to_python(second)})"
    return text.replace("^", "**").replace("&&", " and ").replace("||", " or ")


class Numbers:
    """Reads numbers and vectors of a deck; anything that is none gives the default."""

    def __init__(self, parameters):
        self.parameters = parameters or {}

    def number(self, value, default=0.0):
        try:
            return float(self._evaluate(value, 0))
        except (ValueError, TypeError, KeyError, SyntaxError, ArithmeticError, RecursionError):
            return default

    def vector(self, value, default=(0.0, 0.0, 0.0)):
        if not isinstance(value, (list, tuple)) or len(value) != len(default):
            return list(default)
        return [self.number(item) for item in value]

    def rotation(self, orientation):
        """[3, 3] of a mapping of an orientation, node's frame to inertial; the identity where there is none."""
        given = orientation or {}
        if "matrix" in given:
            return np.array([self.vector(row) for row in given["matrix"]])
        if "x_axis" in given:
            x = np.array(self.vector(given["x_axis"]))
            x /= np.linalg.norm(x)
            y = np.array(self.vector(given.get("y_axis")))
            y -= x * (x @ y)
            y /= np.linalg.norm(y)
            return np.stack([x, y, np.cross(x, y)], axis=1)
        if "quaternion" in given:
            w, *v = self.vector(given["quaternion"], (1.0, 0.0, 0.0, 0.0))
            angle, axis = 2 * math.atan2(math.hypot(*v), w), np.array(v)
        else:
            axis = np.array(self.vector(given.get("rotation_vector", given.get("axis"))))
            turn = self.number(given.get("angle"), math.radians(self.number(given.get("angle_deg"))))
            angle = np.linalg.norm(axis) if "rotation_vector" in given else turn
        length = np.linalg.norm(axis)
        if length == 0:
            return np.eye(3)
        x, y, z = axis / length
        tilde = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return np.eye(3) + math.sin(angle) * tilde + (1 - math.cos(angle)) * tilde @ tilde

    def _evaluate(self, value, depth):
        if depth > 50:
            raise RecursionError("parameters that refer to each other")
        if not isinstance(value, str):
            return float(value)
        if not value.startswith("="):
            return float(value)
        return self._node(ast.parse(_to_python(value[1:].strip()), mode="eval").body, depth)

    def _node(self, node, depth):
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, ast.Name):
            return math.pi if node.id == "pi" else self._evaluate(self.parameters[node.id], depth + 1)
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](self._node(node.left, depth), self._node(node.right, depth))
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](self._node(node.operand, depth))
        if isinstance(node, ast.Compare):
            return OPERATORS[type(node.ops[0])](self._node(node.left, depth), self._node(node.comparators[0], depth))
        if isinstance(node, ast.IfExp):
            return self._node(node.body if self._node(node.test, depth) else node.orelse, depth)
        if isinstance(node, ast.Call):
            return FUNCTIONS[node.func.id](*(self._node(argument, depth) for argument in node.args))
        raise ValueError("not an expression of a deck")
