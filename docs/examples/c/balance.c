/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the pole on its cart upright from C, with the gains of the deck: balance inputs/examples/cart_and_pole_held.yaml */
#include <polhode.h>
#include <stdio.h>

static double signal_of(polhode_simulation* cart, const char* name) {
  double value = 0;
  polhode_signal(cart, name, &value, NULL);
  return value;
}

static double feedback(polhode_simulation* cart) {
  return 10 * signal_of(cart, "x") + 121.88 * signal_of(cart, "phi") + 14.439 * signal_of(cart, "v") +
         36.061 * signal_of(cart, "omega");
}

int main(int count, char** arguments) {
  polhode_error error = {POLHODE_OK, ""};
  polhode_simulation* cart = count == 2 ? polhode_open(arguments[1], &error) : NULL;
  polhode_status status = POLHODE_WRONG_USE;
  if (cart) status = polhode_set(cart, "signals.force={type: external}", &error);
  if (status == POLHODE_OK) status = polhode_start(cart, &error);
  while (status == POLHODE_GOES_ON) {
    status = polhode_set_signal(cart, "force", feedback(cart), &error);
    if (status == POLHODE_OK) status = polhode_step(cart, &error);
  }
  if (status == POLHODE_ENDED && cart)
    printf("upright at t = %g s: lean %.1e rad\n", polhode_time(cart), signal_of(cart, "phi"));
  if (status < 0) fprintf(stderr, "%s\n", error.text);
  polhode_close(cart);
  return status < 0;
}
