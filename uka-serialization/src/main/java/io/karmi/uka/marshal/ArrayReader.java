package io.karmi.uka.marshal;

import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.Array;

/** Arrays. A length that lies does not allocate: memory grows with the bytes that arrive. */
final class ArrayReader {
  /** Up to this size an array is made before its bytes have been seen. */
  private static final int TRUSTED_BYTES = 1 << 16;

  private ArrayReader() {}

  /** Reads the elements; the array's handle is the current one on return. */
  static Object read(ObjectReader in, ReadType type, int length, boolean unshared)
      throws IOException {
    Class<?> arrayType = type.type();
    if (arrayType == null) {
      in.begin(null, type, unshared);
      skipElements(in, length);
      return null;
    }
    if (!arrayType.isArray()) {
      throw new InvalidClassException(arrayType.getName(), "an array of a class that is none");
    }
    Class<?> element = arrayType.getComponentType();
    return element.isPrimitive()
        ? readPrimitives(in, type, element, length, unshared)
        : readReferences(in, type, element, length, unshared);
  }

  private static void skipElements(ObjectReader in, int length) throws IOException {
    int handle = in.currentHandle();
    for (int i = 0; i < length; i++) {
      in.readNested(false);
    }
    in.setCurrentHandle(handle);
  }

  private static Object readReferences(
      ObjectReader in, ReadType type, Class<?> element, int length, boolean unshared)
      throws IOException {
    if (length > TRUSTED_BYTES) {
      /* An element takes a byte at least. */
      in.buffer().require(length);
    }
    Object[] array = (Object[]) Array.newInstance(element, length);
    in.begin(array, type, unshared);
    for (int i = 0; i < length; i++) {
      array[i] = in.readReference();
    }
    return array;
  }

  private static Object readPrimitives(
      ObjectReader in, ReadType type, Class<?> element, int length, boolean unshared)
      throws IOException {
    char code = element.descriptorString().charAt(0);
    int trusted = Math.max(TRUSTED_BYTES, in.buffer().remaining()) / 8;
    int made = Math.min(length, trusted);
    Object array = Array.newInstance(element, made);
    in.format().readElements(array, code, 0, made);
    while (made < length) {
      int grown = (int) Math.min(length, 4L * made);
      Object larger = Array.newInstance(element, grown);
      System.arraycopy(array, 0, larger, 0, made);
      array = larger;
      in.format().readElements(array, code, made, grown - made);
      made = grown;
    }
    in.begin(array, type, unshared);
    return array;
  }

  /** A shallow copy: what an unshared object was resolved to must be shared with nobody. */
  static Object copy(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }
}
