/// The version of the repository, which the manifest passes on.
#ifndef LEARN2048_CVERSION_H
#define LEARN2048_CVERSION_H

/// The tag of the commit that was built, or the first digits of its name.
const char *learn2048_version(void);

#endif
