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

/** Reader of back references, strings and names. */
public final class SpecialValues implements FormatReader.TypeNames {
  private final ReadContext in;
  private final FormatReader format;
  private final ReadHandleTable handles;

  public SpecialValues(ReadContext in) {
    this.in = in;
    format = in.format();
    handles = in.handles();
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
    return object instanceof ReadType type ? descriptor(in, type) : object;
  }

  public void checkHandle(int handle) throws StreamCorruptedException {
    if (handle < 0 || handle >= handles.size()) {
      throw format.invalidHandle(handle);
    }
  }

  static String readString(ReadContext in, boolean unshared) throws IOException {
    String text = in.format().readString();
    int handle = in.handles().assign(unshared ? ReadHandleTable.UNSHARED : text);
    in.setCurrentHandle(handle);
    in.handles().finish(handle);
    return text;
  }

  /** Reads a string that is part of something else, or null. */
  @Override
  public @Nullable String readName() throws IOException {
    int outerHandle = in.currentHandle();
    int token = format.peek();
    Object name =
        switch (token) {
          case Token.STRING -> readString(in, false);
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

  @Override
  public String addName(String name) {
    handles.assignSettled(name);
    return name;
  }

  /** The descriptor of a type, for a program. */
  static @Nullable ObjectStreamClass descriptor(ReadContext in, ReadType type) throws IOException {
    type.checkBound();
    in.contentCost().addDescriptor(type.fieldsToShow());
    try {
      return type.streamClass();
    } catch (ClassNotFoundException e) {
      throw new InvalidClassException("failed to make class descriptor: " + e.getMessage());
    }
  }
}
