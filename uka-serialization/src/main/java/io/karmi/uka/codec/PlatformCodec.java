package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one family of classes of the platform: what writes their objects, what reads them, and
 * how the short form of their data becomes the general one.
 *
 * <p>{@link PlatformCodecs} lists the classes of all families. A codec is one object for all of
 * them, made with the table. So it has no state, and its methods return strategies as {@code
 * Object}: with their own types the verifier would load the strategies of a family with its codec,
 * and so those of all classes with the first stream.
 */
abstract class PlatformCodec {
  /**
   * The {@link ObjectMarshaler} of a class; null if its objects are written as any others.
   *
   * @param table says which descriptions have a short form
   */
  @Nullable Object marshaler(LocalClass type, PlatformDescriptions table) {
    return null;
  }

  /**
   * The {@link Unmarshaler} of a type, whose description equals the local class's; null if its
   * objects are read as any others.
   *
   * @param form that the data of objects has, perhaps of another family; null if it has none
   */
  @Nullable Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return null;
  }

  /**
   * The {@link Unmarshaler} of a type whose data is in the short form, whichever class a program
   * has put in the place of the platform's; null if the short form is expanded.
   *
   * @param form name of the class whose short form it is
   */
  @Nullable Object readerOfShortForm(ReadType type, String form) {
    return null;
  }

  /**
   * The {@link Unmarshaler} of the local class, where its short form is expanded.
   *
   * @param general reads the general form
   * @param expanding expands a short form, and has {@code general} read it
   */
  Object readerByExpansion(ReadType type, Unmarshaler general, Unmarshaler expanding) {
    return expanding;
  }

  /** Whether short forms have a general one; else each is one number of variable length. */
  boolean expands() {
    return true;
  }

  /**
   * Takes the short form that comes next, and writes the general one; writes nothing if the general
   * one follows.
   *
   * @param name of the class that the stream has described
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
   * @param head number that the short form begins with
   */
  void expand(String name, int head, ShortForms into) throws IOException {
    throw unknown(name);
  }

  /** The platform's class of this name; null if this JDK has none. */
  static @Nullable Class<?> find(String name) {
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The table names a class that the family's codec does not know. */
  final IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(getClass().getSimpleName() + " has nothing for " + name);
  }
}
