package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.platform.SerializationFactory;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.io.WriteAbortedException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of values of any kind on the general path: values that a hook observes, and those whose
 * type has no number yet. A value's handle is the current one afterwards.
 */
public final class ValueReader {
  private final ReadContext in;
  private final FormatReader format;
  private final ReadStrategies strategies;
  private final TypeReader types;
  private final SpecialValues specials;
  private final Completion completion;

  public ValueReader(
      ReadContext in,
      ReadStrategies strategies,
      TypeReader types,
      SpecialValues specials,
      Completion completion) {
    this.in = in;
    format = in.format();
    this.strategies = strategies;
    this.types = types;
    this.specials = specials;
    this.completion = completion;
  }

  /**
   * Reads a value.
   *
   * @param token its first token, still unread
   * @param blocks whether a program asks, so that a block may stand in the value's place
   */
  public @Nullable Object read(int token, boolean unshared, boolean blocks) throws IOException {
    switch (token) {
      case Token.NULL:
        format.skipToken();
        in.setCurrentHandle(ReadHandleTable.NONE);
        return null;
      case Token.REFERENCE:
        return specials.readBackReference(unshared);
      case Token.OBJECT:
        return completion.resolve(readObject(unshared));
      case Token.STRING:
        return completion.resolve(SpecialValues.readString(in, unshared));
      case Token.ARRAY:
        format.skipToken();
        return completion.resolve(readArray(types.readRequired(), unshared));
      case Token.ENUM:
        format.skipToken();
        return completion.resolve(ConstantReader.read(in, types.readRequired(), unshared));
      case Token.CLASS:
        format.skipToken();
        return readClass(unshared);
      case Token.DESCRIPTION:
        format.skipToken();
        return readDescriptor(unshared);
      case Token.EXCEPTION:
        format.skipToken();
        throw new WriteAbortedException("writing aborted", readFailure());
      case Token.BLOCK:
        if (!blocks) {
          throw new StreamCorruptedException("unexpected block data");
        }
        in.blocks().setBlockMode(true);
        in.blocks().peekBlock();
        throw SerializationFactory.optionalDataException(in.blocks().left());
      case Token.END_OF_BLOCKS:
        if (!blocks) {
          throw new StreamCorruptedException("unexpected end of block data");
        }
        in.blocks().setBlockMode(true);
        in.blocks().nextBlock();
        throw SerializationFactory.optionalDataException(true);
      default:
        throw new StreamCorruptedException("unexpected token: " + token);
    }
  }

  /**
   * Reads a value of exactly this class, or null. Its class is checked before anything is made.
   *
   * @param token its first token, still unread
   */
  public @Nullable Object readExactly(Class<?> wanted, int token) throws IOException {
    boolean text = wanted == String.class;
    switch (token) {
      case Token.NULL:
      case Token.REFERENCE:
        return wanted.cast(read(token, false, false));
      case Token.STRING:
        return wanted.cast(completion.resolve(SpecialValues.readString(in, false)));
      case Token.OBJECT:
      case Token.ARRAY:
        if (!text) {
          return wanted.cast(readOfExactly(wanted, token));
        }
        throw cannotCast(token == Token.ARRAY ? "an array" : "an object", wanted);
      default:
        throw cannotCast(token == Token.ENUM ? "an enum" : "a special value", wanted);
    }
  }

  private @Nullable Object readOfExactly(Class<?> wanted, int token) throws IOException {
    format.skipToken();
    boolean ofAnyKind = token == Token.OBJECT && format.isOfAnyKind();
    ReadType type = types.readRequired();
    if (type.type() != wanted) {
      Class<?> found = type.type();
      throw cannotCast(found == null ? "an object" : found.getName(), wanted);
    }
    return completion.resolve(
        token == Token.ARRAY ? readArray(type, false) : readOf(type, false, ofAnyKind));
  }

  private static ClassCastException cannotCast(String what, Class<?> wanted) {
    return new ClassCastException("Cannot cast " + what + " to " + wanted.getName());
  }

  /** Reads a value and drops it. */
  public void skip(int token) throws IOException {
    if (token != Token.ARRAY && token != Token.OBJECT || in.isWatched()) {
      read(token, false, false);
      return;
    }
    format.skipToken();
    boolean ofAnyKind = format.isOfAnyKind();
    ReadType type = types.readRequired();
    if (strategies.skip(in, type)) {
      return;
    }
    if (token == Token.ARRAY) {
      readArray(type, false);
    } else {
      readOf(type, false, ofAnyKind);
    }
  }

  private @Nullable Object readObject(boolean unshared) throws IOException {
    format.skipToken();
    boolean ofAnyKind = format.isOfAnyKind();
    return readOf(types.readRequired(), unshared, ofAnyKind);
  }

  private @Nullable Class<?> readClass(boolean unshared) throws IOException {
    ReadType type = types.readRequired();
    Class<?> value = type.type();
    in.begin(value, type, unshared);
    in.handles().finish(in.currentHandle());
    return value;
  }

  private @Nullable ObjectStreamClass readDescriptor(boolean unshared) throws IOException {
    ReadType type = types.read(unshared);
    return type == null ? null : SpecialValues.descriptor(in, type);
  }

  /** Reads the exception that ended the writing of an object. */
  private @Nullable IOException readFailure() throws IOException {
    in.clear();
    /* What was to follow does not. */
    in.buffer.following = 0;
    int token = format.peek();
    if (token != Token.OBJECT && token != Token.REFERENCE) {
      throw format.misplacedToken();
    }
    IOException failure = (IOException) in.read(false);
    in.clear();
    return failure;
  }

  /** Reads an array whose type has been read. */
  public @Nullable Object readArray(ReadType type, boolean unshared) throws IOException {
    int length = ArrayReader.readLength(in, type);
    Object array =
        in.isDeep() && type.referenceType() != null
            ? deep(ArrayReader.begin(in, type, length, unshared))
            : ArrayReader.read(in, type, length, unshared);
    in.handles().finish(in.currentHandle());
    return array;
  }

  /**
   * Reads an object of a type that has been read.
   *
   * @param ofAnyKind whether the type, not the token, tells objects from arrays and constants
   */
  public @Nullable Object readOf(ReadType type, boolean unshared, boolean ofAnyKind)
      throws IOException {
    if (ofAnyKind) {
      if (type.kind() == Token.ARRAY) {
        return readArray(type, unshared);
      }
      if (type.kind() == Token.ENUM) {
        return ConstantReader.read(in, type, unshared);
      }
    }
    checkObjectType(type);
    Unmarshaler unmarshaler = unmarshaler(type);
    ObjectAccess whole = unshared || in.isWatched() ? null : unmarshaler.whole();
    if (whole != null) {
      return completion.finish(type, whole.readNew(in), false);
    }
    HalfRead half = in.isDeep() ? unmarshaler.begin(in, unshared) : null;
    Object object = half == null ? unmarshaler.unmarshal(in, unshared) : deep(half);
    return completion.finish(type, object, unshared);
  }

  /**
   * Begins an array that {@link DeepReader} completes.
   *
   * @return null, and nothing has been read, if it has no references
   */
  public @Nullable HalfRead beginArray(ReadType type, boolean unshared) throws IOException {
    return type.referenceType() == null
        ? null
        : ArrayReader.begin(in, type, ArrayReader.readLength(in, type), unshared);
  }

  /**
   * Begins an object or array whose type has been read.
   *
   * @return null, and nothing has been read, if {@link DeepReader} cannot complete it
   */
  public @Nullable HalfRead beginOf(ReadType type, boolean unshared, boolean ofAnyKind)
      throws IOException {
    if (ofAnyKind) {
      if (type.kind() == Token.ARRAY) {
        return beginArray(type, unshared);
      }
      if (type.kind() == Token.ENUM) {
        return null;
      }
    }
    checkObjectType(type);
    return unmarshaler(type).begin(in, unshared);
  }

  private Unmarshaler unmarshaler(ReadType type) throws InvalidClassException {
    Unmarshaler known = (Unmarshaler) type.plan();
    if (known == null) {
      known = strategies.unmarshaler(type);
      known.prepare(format.order());
      type.setPlan(known, known.resolves());
      in.use(type);
    }
    return known;
  }

  private @Nullable Object deep(HalfRead begun) throws IOException {
    return new DeepReader(in, types, this, completion).read(begun);
  }

  private static void checkObjectType(ReadType type) throws InvalidClassException {
    type.checkDeserializable();
    Class<?> known = type.type();
    if (known == String.class || known == Class.class || known == ObjectStreamClass.class) {
      throw new InvalidClassException("invalid class descriptor");
    }
  }
}
