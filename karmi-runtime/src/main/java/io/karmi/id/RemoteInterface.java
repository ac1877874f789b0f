package io.karmi.id;

import java.io.ObjectInputFilter;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * The methods that a stub calls and a skeleton dispatches, as numbers.
 *
 * <p>The methods of all remote interfaces of a class are sorted by signature; a <em>method
 * number</em> is an index into that order. Each method also has its 64-bit hash, the one that JRMP
 * uses (the first eight bytes of a SHA-1 over name and descriptor, Java RMI Specification 8.3). Two
 * sides with equal {@linkplain #fingerprint() fingerprints} mean the same by the same number;
 * otherwise numbers are translated by hash, so that the two sides' interfaces may differ.
 *
 * <p>Holds names and numbers only, no classes: a connection may keep it without keeping a class
 * loader. Immutable.
 */
public final class RemoteInterface {
  /** No methods. */
  public static final RemoteInterface NONE =
      new RemoteInterface(new String[0], new String[0], new long[0]);

  private final String[] interfaceNames;
  private final String[] methodNames;
  private final String[] declarers;
  private final long[] methodHashes;

  /** Beside the array, which need not be looked at then. */
  private final int methodCount;

  private final long fingerprint;

  /** Not part of the value. */
  private volatile @Nullable ObjectInputFilter resultFilter;

  /**
   * Describes a set of methods.
   *
   * @param interfaceNames binary names of the remote interfaces, in the order of the class
   * @param methodNames by method number, for messages only: name and descriptor, such as {@code
   *     ping(II)V}
   * @param methodHashes by method number
   */
  public RemoteInterface(String[] interfaceNames, String[] methodNames, long[] methodHashes) {
    this(interfaceNames, methodNames, new String[0], methodHashes);
  }

  /**
   * Describes a set of methods.
   *
   * @param interfaceNames binary names of the remote interfaces, in the order of the class
   * @param methodNames by method number, for messages only: name and descriptor, such as {@code
   *     ping(II)V}
   * @param declarers by method number, for messages only: binary names of the interfaces that
   *     declare them; empty if those are not known
   * @param methodHashes by method number
   */
  public RemoteInterface(
      String[] interfaceNames, String[] methodNames, String[] declarers, long[] methodHashes) {
    if (methodNames.length != methodHashes.length) {
      throw new IllegalArgumentException(
          methodNames.length + " method names, but " + methodHashes.length + " hashes");
    }
    this.interfaceNames = interfaceNames.clone();
    this.methodNames = methodNames.clone();
    this.declarers = declarers.clone();
    this.methodHashes = methodHashes.clone();
    this.methodCount = methodHashes.length;
    this.fingerprint = fingerprint(methodHashes);
  }

  /**
   * The set that consists of one method, for a caller that knows nothing but its hash.
   *
   * @param results what the answer may contain; null, which allows what the JVM allows, only where
   *     a program makes the call
   */
  public static RemoteInterface ofHash(
      String methodName, long methodHash, @Nullable ObjectInputFilter results) {
    return single("", methodName, methodHash, results);
  }

  /**
   * The same, of an interface whose other methods are not known.
   *
   * @param declarer its binary name
   */
  public static RemoteInterface ofHash(
      String declarer, String methodName, long methodHash, @Nullable ObjectInputFilter results) {
    return single(declarer, methodName, methodHash, results);
  }

  private static RemoteInterface single(
      String declarer, String methodName, long methodHash, @Nullable ObjectInputFilter results) {
    RemoteInterface one =
        new RemoteInterface(
            new String[0],
            new String[] {methodName},
            new String[] {declarer},
            new long[] {methodHash});
    one.filterResults(results);
    return one;
  }

  private static long fingerprint(long[] hashes) {
    long mixed = hashes.length;
    for (long hash : hashes) {
      mixed = (mixed ^ hash) * 0x9E3779B97F4A7C15L;
      mixed ^= mixed >>> 32;
    }
    return mixed;
  }

  /** Equal for two sides that give all methods the same numbers. */
  public long fingerprint() {
    return fingerprint;
  }

  /** The filter for results, or null; it knows types by name only, as this class does. */
  public @Nullable ObjectInputFilter resultFilter() {
    return resultFilter;
  }

  /** Restricts what results may contain; null allows what the JVM allows. */
  public void filterResults(@Nullable ObjectInputFilter filter) {
    resultFilter = filter;
  }

  /** The number of methods. */
  public int methodCount() {
    return methodCount;
  }

  /**
   * The number itself, if there is such a method.
   *
   * @throws StreamCorruptedException if there is none
   */
  public int checkMethodNumber(int methodNumber) throws StreamCorruptedException {
    if (methodNumber < 0 || methodNumber >= methodCount) {
      throw new StreamCorruptedException(
          "method number " + methodNumber + " of an interface of " + methodCount);
    }
    return methodNumber;
  }

  /** The JRMP hash of a method. */
  public long methodHash(int methodNumber) {
    return methodHashes[methodNumber];
  }

  /** Name and descriptor of a method, for messages. */
  public String methodName(int methodNumber) {
    return methodNames[methodNumber];
  }

  /** Binary name of the interface that declares a method, for messages; empty if not known. */
  public String declarer(int methodNumber) {
    if (declarers.length > methodNumber) {
      return declarers[methodNumber];
    }
    return interfaceNames.length == 0 ? "" : interfaceNames[0];
  }

  /** The number of remote interfaces that the methods come from; 0 if that is not known. */
  public int interfaceCount() {
    return interfaceNames.length;
  }

  /** Binary name of a remote interface. */
  public String interfaceName(int index) {
    return interfaceNames[index];
  }

  /** The number of the method with that hash, or -1. */
  public int methodNumber(long methodHash) {
    for (int i = 0; i < methodHashes.length; i++) {
      if (methodHashes[i] == methodHash) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return String.join(", ", interfaceNames) + " (" + methodHashes.length + " methods)";
  }
}
