package io.karmi.uka.engine.read;

import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Values that are no objects with fields or elements: back references, strings, enum constants,
 * classes, descriptors, and the failure of the writer.
 */
public final class SpecialValues implements FormatReader.TypeNames {
  private final ObjectReader in;
  private final FormatReader format;
  private final ReadHandleTable handles;
  private final TypeReader types;

  public SpecialValues(
      ObjectReader in, FormatReader format, ReadHandleTable handles, TypeReader types) {
    this.in = in;
    this.format = format;
    this.handles = handles;
    this.types = types;
  }

  public @Nullable Object readBackReference(boolean unshared) throws IOException {
    int handle = format.readHandle();
    checkHandle(handle);
    in.setCurrentHandle(handle);
    if (unshared) {
      throw new InvalidObjectException("cannot read back reference as unshared");
    }
    Object object = handles.get(handle);
    if (object == ReadHandleTable.UNSHARED) {
      throw new InvalidObjectException("cannot read back reference to unshared object");
    }
    in.check(null, -1);
    return object instanceof ReadType type ? descriptor(type) : object;
  }

  public void checkHandle(int handle) throws StreamCorruptedException {
    if (handle < 0 || handle >= handles.size()) {
      throw format.invalidHandle(handle);
    }
  }

  public String readString(boolean unshared) throws IOException {
    String text = format.readString();
    begin(text, unshared);
    handles.finish(in.currentHandle());
    return text;
  }

  /** Reads a string that is part of something else; null if the stream says so. */
  @Override
  public @Nullable String readName() throws IOException {
    int outerHandle = in.currentHandle();
    int token = format.peek();
    Object name =
        switch (token) {
          case Token.STRING -> readString(false);
          case Token.REFERENCE -> readBackReference(false);
          case Token.NULL -> {
            format.skipToken();
            yield null;
          }
          default -> throw format.misplacedToken();
        };
    if (name != null && !(name instanceof String)) {
      throw new StreamCorruptedException("a reference to a name is one to something else");
    }
    in.setCurrentHandle(outerHandle);
    return (String) name;
  }

  /** Reads a class behind its token. */
  public @Nullable Class<?> readClass(boolean unshared) throws IOException {
    ReadType type = types.readRequired();
    Class<?> value = type.type();
    in.begin(value, type, unshared);
    handles.finish(in.currentHandle());
    return value;
  }

  /** Reads a descriptor behind its token. */
  public @Nullable ObjectStreamClass readDescriptor(boolean unshared) throws IOException {
    ReadType type = types.read(unshared);
    return type == null ? null : descriptor(type);
  }

  private static @Nullable ObjectStreamClass descriptor(ReadType type) throws IOException {
    type.checkBound();
    try {
      return type.streamClass();
    } catch (ClassNotFoundException e) {
      throw new InvalidClassException("failed to make class descriptor: " + e.getMessage());
    }
  }

  /** Reads an enum constant whose type has been read. */
  public @Nullable Enum<?> readConstant(ReadType type, boolean unshared) throws IOException {
    if (!type.isEnum()) {
      throw new InvalidClassException("non-enum class: " + descriptor(type));
    }
    in.begin(null, type, unshared);
    int handle = in.currentHandle();
    Enum<?> constant = readConstantContent(type);
    in.setCurrentHandle(handle);
    in.complete(constant, unshared);
    handles.finish(handle);
    return constant;
  }

  /** Reads which constant it is; null if there is no such enum here. */
  public @Nullable Enum<?> readConstantContent(ReadType type) throws IOException {
    Enum<?> known = format.takeConstant(type.constants().known());
    if (known != null) {
      return known;
    }
    Class<?> local = type.type();
    if (format.numbersConstants()) {
      int number = format.readConstant(type.constants().names());
      return local == null ? null : type.constants().constant(local, number);
    }
    if (format.peek() != Token.STRING) {
      throw format.misplacedToken();
    }
    String name = readString(false);
    return local == null ? null : EnumConstants.constant(local, name);
  }

  /** Reads why the writer has not completed the object that it had begun. */
  public @Nullable IOException readFailure() throws IOException {
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

  private void begin(Object object, boolean unshared) {
    in.setCurrentHandle(handles.assign(unshared ? ReadHandleTable.UNSHARED : object));
  }
}
