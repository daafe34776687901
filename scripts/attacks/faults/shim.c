// Counts, records and disturbs the calls with which a program changes files under one directory.
// scripts/attacks/torture compiles it and loads it into the program with LD_PRELOAD. Linux only.
//
// A call has a name: its kind, its file within the directory, and how many of that kind and file it makes. The
// name does not depend on how threads alternate. Process numbers and times in names of files are left out.
//
// TORTURE_ROOT   the directory, an absolute path without links, which is the working directory too
// TORTURE_LOG    a file to which every call is written once it has succeeded
// TORTURE_AT     the name of a call, such as "rename Models/run/config.json 1"
// TORTURE_FAULT  what happens to it: "error N", "full N" (the error N from then on, except for calls that free
//                space or only close), "dead N" (the error N of all calls from then on), "short" (half of a write),
//                "short-full N", "kill-before", "kill-within" or "kill-after"
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { descriptors = 1024, names = 4096 };

static struct { char *path; bool is_directory, is_written; } files[descriptors];
static struct { char *name; int count; } counts[names];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX], fault[32];
static const char *place;
static size_t root_length;
static int log_descriptor = -1, fault_error, permanent_error;
static bool is_dead;

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("TORTURE_ROOT");
  if (!text) return;
  snprintf(root, sizeof root, "%s", text);
  root_length = strlen(root);
  place = getenv("TORTURE_AT");
  if ((text = getenv("TORTURE_FAULT"))) sscanf(text, "%31s %d", fault, &fault_error);
  if ((text = getenv("TORTURE_LOG"))) {
    int opened = syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    // Out of the way of the program's own descriptors.
    log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, descriptors);
    syscall(SYS_close, opened);
  }
}

// The path within the root; NULL if it lies elsewhere.
static const char *inner(int directory, const char *path) {
  static __thread char joined[PATH_MAX];
  if (!root_length || !path) return NULL;
  if (path[0] != '/') {
    if (directory == AT_FDCWD) return path;
    if (directory < 0 || directory >= descriptors || !files[directory].path) return NULL;
    snprintf(joined, sizeof joined, "%s/%s", files[directory].path, path);
    return joined;
  }
  if (strncmp(path, root, root_length) != 0) return NULL;
  if (path[root_length] == 0) return ".";
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

// Copies a path without what differs from run to run: ".NAME.tmp-1-2" becomes ".NAME.tmp".
static void normalise(const char *path, char *to, size_t size) {
  snprintf(to, size, "%s", path);
  size_t length = strlen(to);
  while (length > 0 && to[length - 1] == '/') to[--length] = 0;
  char *mark = strstr(to, ".tmp-");
  if (mark) mark[4] = 0;
  if ((mark = strstr(to, "events.out.tfevents."))) mark[6] = 0;
}

struct call {
  const char *kind, *path;
  char name[PATH_MAX + 32];
  bool is_hit;
};

static void end_process(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static bool frees(const char *kind) {
  return strcmp(kind, "unlink") == 0 || strcmp(kind, "rmdir") == 0;
}

enum verdict { pass, refuse, cut };

// Counts a call and decides what happens to it. The mutex is held until `end`, so that the log has the order in which
// the calls were made.
static enum verdict begin(struct call *call, const char *kind, const char *path, const char *named) {
  pthread_mutex_lock(&mutex);
  call->kind = kind;
  call->path = path;
  char normal[PATH_MAX];
  normalise(named, normal, sizeof normal);
  snprintf(call->name, sizeof call->name, "%s %s", kind, normal);
  int index = 0;
  while (index < names - 1 && counts[index].name && strcmp(counts[index].name, call->name) != 0) index++;
  if (!counts[index].name) counts[index].name = strdup(call->name);
  size_t length = strlen(call->name);
  snprintf(call->name + length, sizeof call->name - length, " %d", ++counts[index].count);
  call->is_hit = place && strcmp(place, call->name) == 0;
  bool is_close = strcmp(kind, "close") == 0;
  if (permanent_error && !is_close && (is_dead || !frees(kind))) {
    errno = permanent_error;
    return refuse;
  }
  if (!call->is_hit) return pass;
  if (strcmp(fault, "kill-before") == 0) end_process();
  if (strcmp(fault, "kill-within") == 0 || strncmp(fault, "short", 5) == 0) {
    if (strcmp(fault, "short-full") == 0) permanent_error = fault_error;
    return cut;
  }
  if (strcmp(fault, "kill-after") == 0) return pass;
  if (strcmp(fault, "dead") == 0) is_dead = true;
  if (strcmp(fault, "error") != 0) permanent_error = fault_error;
  errno = fault_error;
  return refuse;
}

// Writes the call to the log, and lets the next one begin.
static void end(
    struct call *call, long result, const char *detail, const char *source, const void *bytes, size_t count) {
  int code = errno;
  if (call->is_hit && strncmp(fault, "kill-", 5) == 0) end_process();
  if (log_descriptor >= 0 && result >= 0) {
    char line[3 * PATH_MAX];
    int length = snprintf(
        line, sizeof line, "%s\t%s\t%s\t%s\t%s\t%zu\n", call->kind, call->name, call->path, source, detail, count);
    syscall(SYS_write, log_descriptor, line, (size_t)length);
    if (count) syscall(SYS_write, log_descriptor, bytes, count);
  }
  pthread_mutex_unlock(&mutex);
  errno = code;
}

// MARK: Opening and closing

static int opened(int directory, const char *path, int flags, mode_t mode) {
  const char *within = inner(directory, path);
  bool is_written = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
  if (!within) return syscall(SYS_openat, directory, path, flags, mode);
  if (!is_written) {
    int result = syscall(SYS_openat, directory, path, flags, mode);
    struct stat status;
    if (result >= 0 && result < descriptors && fstat(result, &status) == 0) {
      files[result].path = strdup(within);
      files[result].is_directory = S_ISDIR(status.st_mode);
      files[result].is_written = false;
    }
    return result;
  }
  struct call call;
  int result = -1;
  bool is_new = false;
  if (begin(&call, "open", within, within) == pass) {
    is_new = syscall(SYS_faccessat, directory, path, F_OK) != 0;
    result = syscall(SYS_openat, directory, path, flags, mode);
  }
  if (result >= 0 && result < descriptors) {
    files[result].path = strdup(within);
    files[result].is_directory = false;
    files[result].is_written = true;
  }
  char detail[64];
  snprintf(detail, sizeof detail, "%d %d %d", result, is_new, (flags & O_TRUNC) != 0);
  end(&call, result, detail, "", NULL, 0);
  return result;
}

#define OPEN_MODE \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode = va_arg(arguments, mode_t); \
    va_end(arguments); \
  }

int open(const char *path, int flags, ...) { OPEN_MODE return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { OPEN_MODE return opened(AT_FDCWD, path, flags, mode); }
int openat(int directory, const char *path, int flags, ...) { OPEN_MODE return opened(directory, path, flags, mode); }
int openat64(int directory, const char *path, int flags, ...) { OPEN_MODE return opened(directory, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

static const char *path_of(int descriptor) {
  return descriptor >= 0 && descriptor < descriptors ? files[descriptor].path : NULL;
}

int close(int descriptor) {
  const char *path = path_of(descriptor);
  if (!path) return syscall(SYS_close, descriptor);
  struct call call;
  bool is_counted = files[descriptor].is_written;
  bool fails = is_counted && begin(&call, "close", path, path) != pass;
  int code = errno;
  files[descriptor].path = NULL;
  // As the system does, a close that fails has closed the file.
  int result = syscall(SYS_close, descriptor);
  if (fails) {
    result = -1;
    errno = code;
  }
  char detail[32];
  snprintf(detail, sizeof detail, "%d", descriptor);
  if (is_counted) end(&call, result, detail, "", NULL, 0);
  return result;
}

// MARK: Content

static ssize_t written(int descriptor, const void *bytes, size_t count, off_t offset, bool is_placed) {
  const char *path = path_of(descriptor);
  struct call call;
  enum verdict verdict = path ? begin(&call, "write", path, path) : pass;
  if (path && !is_placed) {
    int flags = fcntl(descriptor, F_GETFL);
    offset = syscall(SYS_lseek, descriptor, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  }
  if (verdict == cut) count = count > 1 ? count / 2 : count;
  ssize_t result = -1;
  if (verdict != refuse)
    result = is_placed ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                       : syscall(SYS_write, descriptor, bytes, count);
  char detail[64];
  snprintf(detail, sizeof detail, "%d %lld", descriptor, (long long)offset);
  if (path) end(&call, result, detail, "", bytes, result > 0 ? (size_t)result : 0);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  return written(descriptor, bytes, count, 0, false);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return written(descriptor, bytes, count, offset, true);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return written(descriptor, bytes, count, offset, true);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  if (!path_of(descriptor)) return syscall(SYS_writev, descriptor, parts, count);
  // A short write, which the caller has to complete.
  for (int i = 0; i < count; i++)
    if (parts[i].iov_len > 0) return written(descriptor, parts[i].iov_base, parts[i].iov_len, 0, false);
  return 0;
}

// Makes a call on an open file that has at most two numbers after the descriptor.
static int changed(const char *kind, int descriptor, long number, off_t first, off_t second) {
  const char *path = path_of(descriptor);
  if (!path) return syscall(number, descriptor, first, second);
  struct call call;
  if (files[descriptor].is_directory) kind = "dirsync";
  int result = begin(&call, kind, path, path) == pass ? syscall(number, descriptor, first, second) : -1;
  char detail[64];
  snprintf(detail, sizeof detail, "%d %lld", descriptor, (long long)first);
  end(&call, result, detail, "", NULL, 0);
  return result;
}

int fsync(int descriptor) { return changed("fsync", descriptor, SYS_fsync, 0, 0); }
int fdatasync(int descriptor) { return changed("fsync", descriptor, SYS_fdatasync, 0, 0); }
int ftruncate(int descriptor, off_t length) { return changed("truncate", descriptor, SYS_ftruncate, length, 0); }
int ftruncate64(int descriptor, off64_t length) { return changed("truncate", descriptor, SYS_ftruncate, length, 0); }

// Ways to change a file that the records do not cover. A program that uses one of them must not pass.
static int unknown(const char *function) {
  fprintf(stderr, "faults/shim.c: %s is not recorded\n", function);
  abort();
}

int truncate(const char *path, off_t length) {
  return inner(AT_FDCWD, path) ? unknown("truncate") : syscall(SYS_truncate, path, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return path_of(descriptor) ? unknown("fallocate") : syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length) { return fallocate(descriptor, 0, offset, length); }

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return path_of(descriptor) ? unknown("pwritev") : syscall(SYS_pwritev, descriptor, parts, count, offset, 0);
}

int sync_file_range(int descriptor, off64_t offset, off64_t count, unsigned flags) {
  return path_of(descriptor) ? unknown("sync_file_range")
                             : syscall(SYS_sync_file_range, descriptor, offset, count, flags);
}

int msync(void *address, size_t length, int flags) {
  return root_length ? unknown("msync") : syscall(SYS_msync, address, length, flags);
}

int link(const char *from, const char *to) {
  return inner(AT_FDCWD, to) ? unknown("link") : syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int symlink(const char *from, const char *to) {
  return inner(AT_FDCWD, to) ? unknown("symlink") : syscall(SYS_symlinkat, from, AT_FDCWD, to);
}

// MARK: Names

static int renamed(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  const char *found = inner(from_directory, from);
  if (!found) return syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
  char source[PATH_MAX];
  snprintf(source, sizeof source, "%s", found);
  const char *target = inner(to_directory, to);
  struct call call;
  int result = -1;
  if (begin(&call, "rename", target ? target : "?", target ? target : "?") == pass)
    result = syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
  end(&call, result, "", source, NULL, 0);
  return result;
}

int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  return renamed(from_directory, from, to_directory, to, 0);
}

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  return renamed(from_directory, from, to_directory, to, flags);
}

// Makes a call that creates or removes a name.
static int named(const char *kind, int directory, const char *path, long number, long argument) {
  const char *within = inner(directory, path);
  if (!within) return syscall(number, directory, path, argument);
  struct call call;
  int result = begin(&call, kind, within, within) == pass ? syscall(number, directory, path, argument) : -1;
  end(&call, result, "", "", NULL, 0);
  return result;
}

int mkdir(const char *path, mode_t mode) { return named("mkdir", AT_FDCWD, path, SYS_mkdirat, mode); }
int mkdirat(int directory, const char *path, mode_t mode) { return named("mkdir", directory, path, SYS_mkdirat, mode); }
int unlink(const char *path) { return named("unlink", AT_FDCWD, path, SYS_unlinkat, 0); }
int rmdir(const char *path) { return named("rmdir", AT_FDCWD, path, SYS_unlinkat, AT_REMOVEDIR); }

int unlinkat(int directory, const char *path, int flags) {
  return named(flags & AT_REMOVEDIR ? "rmdir" : "unlink", directory, path, SYS_unlinkat, flags);
}

int remove(const char *path) {
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? rmdir(path) : result;
}
