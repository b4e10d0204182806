/*
 * Preloaded into a process that writes (LD_PRELOAD), for the files below CHAOS_DISK_ROOT:
 *
 * - with CHAOS_DISK_JOURNAL every write, sync, truncation and rename is recorded in order in that
 *   file (tools/chaos/disk-journal.ts reads it);
 * - with CHAOS_DISK_FAULT=<n>:<errno>[:<count>] the n-th of these calls, and as many as count says,
 *   fail with that errno; errno 0: they write only half;
 * - with CHAOS_DISK_SWITCH=<file>, and as long as this file exists, calls fail: it contains
 *   "<errno> <percent of the calls>";
 * - with CHAOS_DISK_KILL=<n> the process is killed in the n-th call, after half of its write.
 *
 * A record is  kind:u32 pathBytes:u32 offset:i64 lengthBytes:i64 path data;  offset -1: at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNCED_WRITE = 2, SYNC = 3, CUT = 4, RENAME = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static int journal = -1;
static const char *fault_switch;
static long fault_at = -1, fault_count = 1, kill_at = -1, calls = 0;
static int fault_errno = 0;

__attribute__((constructor)) static void begin(void) {
  root = getenv("CHAOS_DISK_ROOT");
  const char *path = getenv("CHAOS_DISK_JOURNAL");
  if (path != NULL) journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *fault = getenv("CHAOS_DISK_FAULT");
  if (fault != NULL) sscanf(fault, "%ld:%d:%ld", &fault_at, &fault_errno, &fault_count);
  fault_switch = getenv("CHAOS_DISK_SWITCH");
  const char *end = getenv("CHAOS_DISK_KILL");
  if (end != NULL) kill_at = atol(end);
  /* Child processes are not affected. */
  unsetenv("LD_PRELOAD");
}

/* The path, if the file is watched. */
static int ours(int fd, char *path) {
  if (root == NULL || fd == journal) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, root, strlen(root)) == 0;
}

static void all(const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = syscall(SYS_write, journal, bytes, count);
    if (done <= 0) abort();
    bytes = (const char *)bytes + done;
    count -= done;
  }
}

static void note(uint32_t kind, const char *path, int64_t offset, const struct iovec *parts,
                 int count, int64_t limit) {
  if (journal < 0) return;
  int64_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  if (length > limit) length = limit;
  uint32_t head[2] = {kind, (uint32_t)strlen(path)};
  int64_t numbers[2] = {offset, kind == CUT ? limit : length};
  all(head, sizeof head);
  all(numbers, sizeof numbers);
  all(path, head[1]);
  for (int i = 0; i < count && length > 0; i++) {
    int64_t part = (int64_t)parts[i].iov_len < length ? (int64_t)parts[i].iov_len : length;
    all(parts[i].iov_base, part);
    length -= part;
  }
}

/* The errno that is switched on, if it is this call's turn. */
static int switched(void) {
  if (fault_switch == NULL) return 0;
  int fd = open(fault_switch, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[32];
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  int code = 0, percent = 0;
  text[length < 0 ? 0 : length] = 0;
  sscanf(text, "%d %d", &code, &percent);
  return rand() % 100 < percent ? code : 0;
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/*
 * 1: this call must fail, errno is set. 2: it must write half. 3: it must write half and end the
 * process. Acknowledgements never fail.
 */
static int fault(const char *path) {
  size_t length = strlen(path);
  if (length > 8 && strcmp(path + length - 8, "/answers") == 0) return 0;
  calls++;
  if (calls == kill_at) return 3;
  int code = switched();
  if (code == 0) {
    if (calls < fault_at || calls >= fault_at + fault_count || fault_at < 0) return 0;
    if (fault_errno == 0) return 2;
    code = fault_errno;
  }
  errno = code;
  return 1;
}

static ssize_t put(int fd, const struct iovec *parts, int count, off_t offset) {
  char path[PATH_MAX];
  if (!ours(fd, path))
    return offset < 0 ? syscall(SYS_writev, fd, parts, count)
                      : syscall(SYS_pwritev, fd, parts, count, offset, 0);
  pthread_mutex_lock(&lock);
  int bad = fault(path);
  ssize_t done = -1;
  struct iovec half = {parts[0].iov_base, (parts[0].iov_len + 1) / 2};
  if (bad >= 2) parts = &half, count = 1;
  int flags = fcntl(fd, F_GETFL);
  if (offset < 0 && !(flags & O_APPEND)) {
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (bad != 1) done = syscall(SYS_writev, fd, parts, count);
    if (done > 0) note(flags & O_DSYNC ? SYNCED_WRITE : WRITE, path, at, parts, count, done);
  } else {
    if (bad != 1)
      done = offset < 0 ? syscall(SYS_writev, fd, parts, count)
                        : syscall(SYS_pwritev, fd, parts, count, offset, 0);
    if (done > 0) note(flags & O_DSYNC ? SYNCED_WRITE : WRITE, path, offset, parts, count, done);
  }
  if (bad == 3) die();
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  struct iovec part = {(void *)bytes, count};
  return put(fd, &part, 1, -1);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  struct iovec part = {(void *)bytes, count};
  return put(fd, &part, 1, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  return pwrite(fd, bytes, count, offset);
}
ssize_t writev(int fd, const struct iovec *parts, int count) { return put(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return put(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return put(fd, parts, count, offset);
}

/* Calls without data fail as a whole, or end the process before they have done anything. */
static int failed(const char *path) {
  int bad = fault(path);
  if (bad == 3) die();
  return bad == 1;
}

/* Recorded after the call: acknowledgements come later still. */
static int synced(int fd, long call) {
  char path[PATH_MAX];
  if (!ours(fd, path)) return syscall(call, fd);
  pthread_mutex_lock(&lock);
  int done = failed(path) ? -1 : (int)syscall(call, fd);
  if (done == 0) note(SYNC, path, 0, NULL, 0, 0);
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

int ftruncate(int fd, off_t length) {
  char path[PATH_MAX];
  if (!ours(fd, path)) return syscall(SYS_ftruncate, fd, length);
  pthread_mutex_lock(&lock);
  int done = failed(path) ? -1 : (int)syscall(SYS_ftruncate, fd, length);
  if (done == 0) note(CUT, path, 0, NULL, 0, length);
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int rename(const char *from, const char *to) {
  if (root == NULL || strncmp(to, root, strlen(root)) != 0)
    return syscall(SYS_rename, from, to);
  pthread_mutex_lock(&lock);
  int done = failed(to) ? -1 : (int)syscall(SYS_rename, from, to);
  struct iovec name = {(void *)to, strlen(to)};
  if (done == 0) note(RENAME, from, 0, &name, 1, LLONG_MAX);
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return done;
}
