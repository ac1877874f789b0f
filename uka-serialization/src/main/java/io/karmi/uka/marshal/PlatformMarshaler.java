package io.karmi.uka.marshal;

import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.Date;

/**
 * Classes of the platform that write themselves, collections above all, read out by public methods:
 * the bytes are those that the class's own {@code writeObject} makes by calling the stream.
 *
 * <p>For these very classes only, since a subclass may do anything in its iterators; and not for
 * streams on which a program watches these calls. {@link PlatformReader} is the counterpart.
 */
abstract class PlatformMarshaler extends ObjectMarshaler {
  private final ObjectMarshaler general;

  PlatformMarshaler(LocalClass type) {
    super(type);
    general = general(type);
  }

  /** The one for this class; null if there is none. */
  static ObjectMarshaler of(LocalClass type) {
    return switch (type.name) {
      case "java.util.ArrayList" -> new SequenceMarshaler.OfArrayList(type);
      case "java.util.LinkedList", "java.util.ArrayDeque" -> new SequenceMarshaler(type);
      case "java.util.HashMap" -> new HashMarshaler.OfMap(type);
      case "java.util.LinkedHashMap" -> new HashMarshaler.OfLinkedMap(type);
      case "java.util.HashSet", "java.util.LinkedHashSet" -> new HashMarshaler.OfSet(type);
      case "java.util.TreeMap" -> new SortedMarshaler.OfMap(type);
      case "java.util.TreeSet" -> new SortedMarshaler.OfSet(type);
      case "java.util.ImmutableCollections$List12",
          "java.util.ImmutableCollections$ListN",
          "java.util.ImmutableCollections$Set12",
          "java.util.ImmutableCollections$SetN",
          "java.util.ImmutableCollections$Map1",
          "java.util.ImmutableCollections$MapN" ->
          ImmutableMarshaler.of(type);
      case "java.math.BigInteger" -> new BigNumberMarshaler.OfInteger(type);
      case "java.math.BigDecimal" -> new BigNumberMarshaler.OfDecimal(type);
      case "java.util.Date" -> new OfDate(type);
      default -> null;
    };
  }

  @Override
  protected final void marshal(ObjectWriter out, Object object) throws IOException {
    if (out.showsCalls() || !writeContent(out, object)) {
      general.marshal(out, replacement(object));
    }
  }

  /** The object that the class's own method is called on. */
  Object replacement(Object object) throws IOException {
    return object;
  }

  /**
   * Writes all fields and data of the object.
   *
   * @return false, and nothing has been written, if it takes the class's own method to know them
   */
  abstract boolean writeContent(ObjectWriter out, Object object) throws IOException;

  /** Writes a number into a block, where the highest byte comes first. */
  static void writeBlockInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(Integer.reverseBytes(value));
  }

  static void end(ObjectWriter out) throws IOException {
    out.format().writeToken(Token.END_OF_BLOCKS);
  }

  /** A date is a block and nothing else. */
  private static final class OfDate extends PlatformMarshaler {
    OfDate(LocalClass type) {
      super(type);
    }

    @Override
    boolean writeContent(ObjectWriter out, Object object) throws IOException {
      out.format().openBlock(Long.BYTES);
      out.buffer.writeLong(Long.reverseBytes(((Date) object).getTime()));
      end(out);
      return true;
    }
  }
}
