#include <pthread.h>

#include "CIntrinsics.h"

static bool is_forked;

static void enter_child(void) { is_forked = true; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(0, 0, enter_child); }

bool ci_is_forked(void) { return is_forked; }
