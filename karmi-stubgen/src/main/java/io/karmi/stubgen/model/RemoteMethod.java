package io.karmi.stubgen.model;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * One method that can be called remotely.
 *
 * @param owner the binary name of the remote interface through which the skeleton calls it; it
 *     declares the method or inherits it
 * @param declarer the binary name of the interface that declares it
 * @param descriptor as in a class file
 * @param exceptions binary names of the exceptions that a caller must expect
 * @param hash the method hash of the RMI specification (section 8.3)
 */
public record RemoteMethod(
    String owner,
    String declarer,
    String name,
    String descriptor,
    List<String> exceptions,
    long hash) {

  /** One for all: of a provider's sixteenth the JDK 17 generates the constructor's call. */
  private static final MessageDigest SHA = sha();

  RemoteMethod(
      String owner, String declarer, String name, String descriptor, List<String> exceptions) {
    this(owner, declarer, name, descriptor, exceptions, hashOf(name + descriptor));
  }

  /** Name and descriptor. */
  public String signature() {
    return name + descriptor;
  }

  /**
   * The method hash of a name followed by a descriptor: the start of a SHA digest, least
   * significant byte first.
   */
  public static long hashOf(String signature) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).writeUTF(signature);
    } catch (IOException e) {
      throw new IllegalArgumentException("signature too long: " + signature, e);
    }
    return startOfDigest(bytes.toByteArray());
  }

  static long startOfDigest(byte[] bytes) {
    byte[] digest;
    synchronized (SHA) {
      digest = SHA.digest(bytes);
    }
    long hash = 0;
    for (int i = 7; i >= 0; i--) {
      hash = hash << 8 | digest[i] & 0xff;
    }
    return hash;
  }

  private static MessageDigest sha() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-1", e);
    }
  }
}
