#include "CVersion.h"

const char *learn2048_version(void) { return LEARN2048_VERSION; }
