package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.type.LocalClass;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the platform that have strategies of their own, by name: one row to write and one
 * to read. All others are written and read as any class is.
 *
 * <p>The wire numbers of their descriptions are in {@code format.uka.PlatformDescriptions}.
 */
public final class PlatformCodecs {
  private PlatformCodecs() {}

  /** What writes objects of this class; null if there is nothing special about it. */
  static @Nullable ObjectMarshaler marshaler(LocalClass type) {
    return (ObjectMarshaler) writing(type);
  }

  /**
   * What reads objects of this type, whose description equals the local class's; null if there is
   * nothing special about it.
   */
  static @Nullable Unmarshaler reader(ReadType type, LocalClass local) {
    return (Unmarshaler) reading(type, local);
  }

  /* Any object to the verifier, which would load all these classes to see what else they are. */
  private static @Nullable Object writing(LocalClass type) {
    return switch (type.name) {
      case "java.lang.Integer" -> new BoxMarshaler.OfInteger(type);
      case "java.lang.Long" -> new BoxMarshaler.OfLong(type);
      case "java.lang.Double" -> new BoxMarshaler.OfDouble(type);
      case "java.lang.Float" -> new BoxMarshaler.OfFloat(type);
      case "java.lang.Short" -> new BoxMarshaler.OfShort(type);
      case "java.lang.Byte" -> new BoxMarshaler.OfByte(type);
      case "java.lang.Character" -> new BoxMarshaler.OfCharacter(type);
      case "java.lang.Boolean" -> new BoxMarshaler.OfBoolean(type);
      case "java.util.UUID" -> new BoxMarshaler.OfUuid(type);
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
      case "java.util.CollSer" -> new PlatformMarshaler.OfOther(type);
      case "java.util.concurrent.ConcurrentHashMap" -> new ConcurrentMapMarshaler(type);
      case "java.math.BigInteger" -> new BigNumberMarshaler.OfInteger(type);
      case "java.math.BigDecimal" -> new BigNumberMarshaler.OfDecimal(type);
      case "java.util.Date" -> new PlatformMarshaler.OfDate(type);
      case "java.time.Ser" -> new TimeMarshaler(type);
      case "java.time.Duration",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalTime",
          "java.time.LocalDateTime" ->
          TimeValueMarshaler.of(type);
      default -> null;
    };
  }

  private static @Nullable Object reading(ReadType type, LocalClass local) {
    return switch (local.name) {
      case "java.lang.Integer" -> new BoxReader.OfInteger(type);
      case "java.lang.Long" -> new BoxReader.OfLong(type);
      case "java.lang.Double" -> new BoxReader.OfDouble(type);
      case "java.lang.Float" -> new BoxReader.OfFloat(type);
      case "java.lang.Short" -> new BoxReader.OfShort(type);
      case "java.lang.Byte" -> new BoxReader.OfByte(type);
      case "java.lang.Character" -> new BoxReader.OfCharacter(type);
      case "java.lang.Boolean" -> new BoxReader.OfBoolean(type);
      case "java.util.UUID" -> new BoxReader.OfUuid(type);
      case "java.util.ArrayList" -> new SequenceReader.OfArrayList(type);
      case "java.util.LinkedList" -> new SequenceReader.OfLinkedList(type);
      case "java.util.ArrayDeque" -> SequenceReader.OfArrayDeque.of(type);
      case "java.util.HashMap" -> new HashReader.OfMap(type);
      case "java.util.LinkedHashMap" -> new HashReader.OfLinkedMap(type);
      case "java.util.HashSet", "java.util.LinkedHashSet" -> new HashReader.OfSet(type);
      case "java.util.TreeMap", "java.util.TreeSet" -> SortedReader.of(type);
      case "java.util.CollSer" -> SequenceReader.OfImmutable.of(type, local);
      case "java.math.BigInteger" -> new BigNumberReader.OfInteger(type);
      case "java.math.BigDecimal" -> new BigNumberReader.OfDecimal(type);
      case "java.util.Date" -> new PlatformReader.OfDate(type);
      default -> null;
    };
  }
}
