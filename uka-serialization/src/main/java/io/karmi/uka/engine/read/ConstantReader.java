package io.karmi.uka.engine.read;

import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import java.io.IOException;
import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/** Reader of enum constants. An instance reads those of one type that has a number. */
public final class ConstantReader extends DirectReader {
  public ConstantReader(ReadType type) {
    super(type);
  }

  @Override
  public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    return read(in, type, unshared);
  }

  @Override
  public @Nullable Object readShared(ReadContext in) throws IOException {
    Enum<?> constant = readContent(in, type);
    in.setCurrentHandle(in.handles().assignSettled(constant));
    return constant;
  }

  @Override
  public boolean isLeaf() {
    return true;
  }

  /** Reads an enum constant whose type has been read. */
  static @Nullable Enum<?> read(ReadContext in, ReadType type, boolean unshared)
      throws IOException {
    if (!type.isEnum()) {
      throw new InvalidClassException("non-enum class: " + SpecialValues.descriptor(in, type));
    }
    in.begin(null, type, unshared);
    int handle = in.currentHandle();
    Enum<?> constant = readContent(in, type);
    in.setCurrentHandle(handle);
    in.complete(constant, unshared);
    in.handles().finish(handle);
    return constant;
  }

  /** Reads the number or name of a constant; null if there is no such enum here. */
  private static @Nullable Enum<?> readContent(ReadContext in, ReadType type) throws IOException {
    FormatReader format = in.format();
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
    String name = SpecialValues.readString(in, false);
    return local == null ? null : EnumConstants.constant(local, name);
  }
}
