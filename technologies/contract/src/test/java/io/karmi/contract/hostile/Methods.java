package io.karmi.contract.hostile;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes of methods (Java RMI Specification, 8.3), and the well-known numbers of objects. */
public final class Methods {
  /** The registry of a port. */
  public static final long REGISTRY = 0;

  /** The collector of a node. */
  public static final long COLLECTOR = 2;

  /** Names in stock RMI. */
  public static final long COUNTERPARTS = 3;

  /** Counters, for callers of the same host. */
  public static final long INSPECTION = 5;

  /** The collector of leases. */
  public static final long LEASE = 0x4B61524D49444743L;

  /** The collector that counts. */
  public static final long COUNTING = LEASE + "counting".hashCode();

  private Methods() {}

  /** The hash of a method, such as {@code add(II)I}. */
  public static long hash(String nameAndDescriptor) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new DataOutputStream(bytes).writeUTF(nameAndDescriptor);
      byte[] digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      long hash = 0;
      for (int i = Long.BYTES - 1; i >= 0; i--) {
        hash = hash << Byte.SIZE | digest[i] & 0xFF;
      }
      return hash;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
