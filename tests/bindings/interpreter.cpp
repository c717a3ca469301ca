// SPDX-License-Identifier: BSD-3-Clause
// Python with the module built in. A shared library would need all parts compiled a second time, position-independent.
#include <Python.h>

extern "C" PyObject* PyInit__polhode();

int main(int count, char** arguments) {
  PyImport_AppendInittab("_polhode", PyInit__polhode);
  return Py_BytesMain(count, arguments);
}
