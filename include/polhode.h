/* SPDX-License-Identifier: BSD-3-Clause */
/* Decks run and stepped from C, and from whatever calls C.
 *
 *   polhode_error error;
 *   polhode_simulation* cart = polhode_open("cart.yaml", &error);
 *   if (!cart) return puts(error.text), 1;
 *   double angle;
 *   while (polhode_step(cart, &error) == POLHODE_GOES_ON) {
 *     polhode_signal(cart, "angle", &angle, &error);
 *     polhode_set_signal(cart, "force", -20 * angle, &error);
 *   }
 *   polhode_close(cart);
 *
 * No exception leaves these functions. `error` may be NULL; it is written where a call fails. Texts go in as UTF-8 that
 * ends with 0. Simulations do not know of each other; each is for one thread at a time. Link polhode::bindings, with the
 * C++ compiler.
 */
#ifndef POLHODE_H
#define POLHODE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return. Numbers below zero are failures. */
typedef enum polhode_status {
  POLHODE_OK = 0,
  POLHODE_GOES_ON = 1,       /* a step is done, and the run has not ended */
  POLHODE_ENDED = 0,         /* the run has ended as it should */
  POLHODE_WRONG_USE = -1,    /* a name, a number or an order of calls that cannot be */
  POLHODE_INVALID_DECK = -2, /* the text has one line a problem: FILE:LINE:COLUMN: deck.path: message */
  POLHODE_FAILED = -3,       /* the solution failed, or memory ran out; the text says why, and what to do */
  POLHODE_FILE_FAILED = -4   /* a file cannot be read or written */
} polhode_status;

/* By value: nothing to be freed. Longer texts are cut. */
typedef struct polhode_error {
  polhode_status status;
  char text[4096];
} polhode_error;

typedef struct polhode_simulation polhode_simulation;

/* Of all nodes but the ground, one behind the other. Frames: velocities of turning in that of the node. */
typedef enum polhode_quantity {
  POLHODE_POSITIONS,          /* 3 a node, m, inertial frame */
  POLHODE_ROTATIONS,          /* 4 a node: unit quaternion w, x, y, z, node's frame to inertial */
  POLHODE_VELOCITIES,         /* 3 a node, m/s, inertial frame */
  POLHODE_ANGULAR_VELOCITIES, /* 3 a node, rad/s, node's frame */
  POLHODE_MULTIPLIERS         /* one a constraint equation */
} polhode_quantity;

/* A deck from a file, or from a text that messages call `name`; NULL where it is no YAML. */
polhode_simulation* polhode_open(const char* file, polhode_error* error);
polhode_simulation* polhode_open_text(const char* name, const char* text, polhode_error* error);
/* Ends the run. NULL is allowed. */
void polhode_close(polhode_simulation* simulation);

/* Before the first step: PATH=VALUE as --set takes it; the file for results (HDF5), without which none are stored. */
polhode_status polhode_set(polhode_simulation* simulation, const char* setting, polhode_error* error);
polhode_status polhode_write_results_to(polhode_simulation* simulation, const char* file, polhode_error* error);

/* The analyses before the first step; the next step; steps until time has grown by h, s; all that is left.
 * POLHODE_GOES_ON or POLHODE_ENDED. The functions below start the run where that has not been done. */
polhode_status polhode_start(polhode_simulation* simulation, polhode_error* error);
polhode_status polhode_step(polhode_simulation* simulation, polhode_error* error);
polhode_status polhode_advance(polhode_simulation* simulation, double h, polhode_error* error);
polhode_status polhode_run(polhode_simulation* simulation, polhode_error* error);

/* s; 0 before the first step. */
double polhode_time(const polhode_simulation* simulation);
/* Number of nodes, and the name of one of them, valid until polhode_close; NULL beyond the last one. */
polhode_status polhode_node_count(polhode_simulation* simulation, size_t* count, polhode_error* error);
const char* polhode_node_name(const polhode_simulation* simulation, size_t node);
/* Numbers of a quantity, and a copy of them; `length`, numbers in `values`, must be that size. */
polhode_status polhode_size(polhode_simulation* simulation, polhode_quantity quantity, size_t* size,
                            polhode_error* error);
polhode_status polhode_read(polhode_simulation* simulation, polhode_quantity quantity, double* values, size_t length,
                            polhode_error* error);

/* Signals by name; one of several outputs is "NAME.0". Those of `type: external` can be set, for the steps that follow. */
polhode_status polhode_signal(polhode_simulation* simulation, const char* name, double* value, polhode_error* error);
polhode_status polhode_set_signal(polhode_simulation* simulation, const char* name, double value, polhode_error* error);

/* One of the deck's `responses`, of the whole run, which is ended where that has not been done. */
polhode_status polhode_response(polhode_simulation* simulation, const char* name, double* value, polhode_error* error);

#ifdef __cplusplus
}
#endif
#endif
