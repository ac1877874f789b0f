package io.karmi.ucx;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Networks that UCX may use. Its binding for Java does not tell, so they are found by the devices
 * of the host and by {@code UCX_TLS}, a setting of UCX.
 */
final class Transports {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  /** Names in {@code UCX_TLS} that stay within the host. */
  private static final Set<String> LOCAL =
      Set.of("self", "posix", "sysv", "cma", "knem", "xpmem", "shm", "sm", "mm", "memory");

  /** Names of networks to other hosts without remote direct memory access. */
  private static final Set<String> EMULATED = Set.of("tcp");

  private Transports() {}

  /** Whether there is a device for remote direct memory access, which UCX is allowed to use. */
  static boolean haveRemoteMemory() {
    return mayUseRemoteMemory(System.getenv("UCX_TLS")) && hasDevice(DEVICES);
  }

  /** Whether no other host can be reached. */
  static boolean stayWithinHost() {
    return stayWithinHost(System.getenv("UCX_TLS"));
  }

  static boolean mayUseRemoteMemory(@Nullable String allowed) {
    if (allowed == null || isUnrestricted(allowed)) {
      return true;
    }
    for (String name : allowed.split(",")) {
      if (!LOCAL.contains(name.trim()) && !EMULATED.contains(name.trim())) {
        return true;
      }
    }
    return false;
  }

  static boolean stayWithinHost(@Nullable String allowed) {
    if (allowed == null || isUnrestricted(allowed)) {
      return false;
    }
    for (String name : allowed.split(",")) {
      if (!LOCAL.contains(name.trim())) {
        return false;
      }
    }
    return true;
  }

  /** Whether no network is named, or only those that are not to be used. */
  private static boolean isUnrestricted(String allowed) {
    return allowed.isBlank() || allowed.startsWith("^");
  }

  static boolean hasDevice(Path directory) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      return all.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
