package io.karmi.ucx;

import io.karmi.settings.Settings;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secret of all nodes that may meet over UCX: the bytes of a file.
 *
 * <p>UCX reads the address of a worker without checking it, and a forged one ends the process. So
 * UCX gets no address whose sender has not proven that it knows the secret. Immutable.
 */
final class Secret {
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int NEW_BYTES = 32;
  private static final int MINIMUM_BYTES = 16;
  private static final int MAXIMUM_BYTES = 4096;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final SecretKeySpec key;

  private Secret(byte[] bytes) {
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /**
   * The secret of the user: in the file that {@code karmi.ucx.secret} names, or else in the user's
   * home directory, where it is made if there is none. Hosts that share that directory share the
   * secret.
   *
   * @throws IOException if there is none, or others may read it
   */
  static Secret configured() throws IOException {
    String named = Settings.UCX_SECRET.get();
    if (named != null) {
      return read(Path.of(named));
    }
    Path directory = Path.of(System.getProperty("user.home"), ".karmi");
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return at(directory.resolve("ucx-secret"));
  }

  /** The secret in a file, which is made if there is none. */
  static Secret at(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      make(file);
    }
    return read(file);
  }

  /** Makes the file. Others see it only when it is complete; the first of several counts. */
  private static void make(Path file) throws IOException {
    byte[] bytes = new byte[NEW_BYTES];
    new SecureRandom().nextBytes(bytes);
    Path made =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "secret",
            null,
            PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    try {
      Files.write(made, bytes);
      Files.createLink(file, made);
    } catch (FileAlreadyExistsException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "another process was faster", e);
    } finally {
      Files.delete(made);
    }
  }

  private static Secret read(Path file) throws IOException {
    PosixFileAttributes attributes;
    try {
      attributes = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new IOException(
          file + " (karmi.ucx.secret) does not exist: nodes that meet have a copy of one file", e);
    } catch (UnsupportedOperationException e) {
      throw new IOException("files of this system have no owners and permissions", e);
    }
    if (!attributes.isRegularFile() || !OWNER_ONLY.containsAll(attributes.permissions())) {
      throw new IOException(
          file
              + " is no secret: it must be a file that only its owner may read (chmod 600), and has"
              + " the permissions "
              + PosixFilePermissions.toString(attributes.permissions()));
    }
    if (attributes.size() < MINIMUM_BYTES || attributes.size() > MAXIMUM_BYTES) {
      throw new IOException(
          file + " has " + attributes.size() + " bytes; a secret has 16 to " + MAXIMUM_BYTES);
    }
    return new Secret(Files.readAllBytes(file));
  }

  /** The proof for these bytes, which only a node that knows the secret can make. */
  byte[] proof(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
