package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one family of the platform's classes: the writer and the reader of their objects, and
 * the expansion of their short form to the general one.
 *
 * <p>{@link PlatformCodecs} lists all classes, and makes one codec for each family. Codecs have no
 * state, and their methods return strategies as {@code Object}: with their own types the verifier
 * would load the strategies of all families with the first stream.
 */
abstract class PlatformCodec {
  /**
   * The {@link ObjectMarshaler} of a class; null if it is written as any other.
   *
   * @param table says which descriptions have a short form
   */
  @Nullable Object marshaler(LocalClass type, PlatformDescriptions table) {
    return null;
  }

  /**
   * The {@link Unmarshaler} of a type that equals the local class; null if it is read as any other.
   *
   * @param form short form of the data, perhaps of another family; null if it has none
   */
  @Nullable Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return null;
  }

  /**
   * The {@link Unmarshaler} of a type whose data is in the short form, also for a class of the
   * program in the place of the platform's; null if the short form is expanded.
   *
   * @param form name of the class that has the short form
   */
  @Nullable Object readerOfShortForm(ReadType type, String form) {
    return null;
  }

  /**
   * The {@link Unmarshaler} of the local class, where its short form is expanded.
   *
   * @param general reads the general form
   * @param expanding expands the short form for {@code general}
   */
  Object readerByExpansion(ReadType type, Unmarshaler general, Unmarshaler expanding) {
    return expanding;
  }

  /** Whether short forms can be expanded; else each is one number of variable length. */
  boolean expands() {
    return true;
  }

  /**
   * Reads a short form, and writes the general one; writes nothing if the general one follows.
   *
   * @param name of the class in the stream
   */
  void expand(String name, ShortForms into) throws IOException {
    int head = into.buffer.readVarInt();
    if ((head & ShortForms.GENERAL) == 0) {
      expand(name, head, into);
    }
  }

  /**
   * Writes the general form.
   *
   * @param head first number of the short form
   */
  void expand(String name, int head, ShortForms into) throws IOException {
    throw unknown(name);
  }

  /** The platform's class of this name, or null. */
  static @Nullable Class<?> find(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The error for a class that this family does not have. */
  final IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(getClass().getSimpleName() + " has nothing for " + name);
  }
}
