package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.write.KnownClasses;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code List.of} and its like return: written as the object that replaces it, without making
 * that.
 *
 * <p>Type and bytes are those of the replacement. Streams on which a program replaces objects get
 * the replacement itself to see.
 */
public final class ImmutableMarshaler extends PlatformMarshaler {
  private static final int LIST = 1;
  private static final int SET = 2;
  private static final int MAP = 3;
  private static final int LIST_WITH_NULLS = 4;

  /**
   * Whether sets and maps of this JVM iterate against the order of their tables, which the JDK
   * writes. Only a copy made in the order of the table iterates as its original does.
   */
  private static final boolean BACKWARDS = !Set.of(0, 1).iterator().next().equals(0);

  private final ObjectMarshaler replaced;

  /** Whether a list may hold nulls, if its class leaves that open and lets us ask. */
  private final @Nullable FieldAccess nulls;

  private ImmutableMarshaler(LocalClass replacement, LocalClass type) {
    super(replacement);
    replaced = new GeneralMarshaler(type);
    nulls = type.name.endsWith("ListN") ? LocalFields.reach(type.type, "allowNulls") : null;
  }

  /** The one for this class; null if the JDK replaces its objects in a way of its own. */
  static @Nullable ObjectMarshaler of(LocalClass type) {
    LocalClass replacement = replacement("java.util.CollSer");
    return replacement == null ? null : new ImmutableMarshaler(replacement, type);
  }

  @Override
  public Marshaler whenReplacing() {
    return replaced;
  }

  @Override
  public Object replacement(Object object) throws IOException {
    return Objects.requireNonNull(replaced.replace(object));
  }

  @Override
  public boolean writeContent(ObjectWriter out, Object object) throws IOException {
    if (object instanceof List<?> list) {
      int tag = tag(out, list);
      return tag != 0 && writeContent(out, tag, list);
    }
    /* The JDK's order is that of a table which no method shows. */
    if (!out.isLittleEndian()) {
      return false;
    }
    if (object instanceof Set<?> set) {
      return writeContent(out, SET, Arrays.asList(inOrderOfTable(set)));
    }
    Map<?, ?> map = (Map<?, ?>) object;
    writeHeader(out, MAP, 2 * map.size());
    KnownClasses.@Nullable Known lastKey = null;
    KnownClasses.@Nullable Known lastValue = null;
    for (Object each : inOrderOfTable(map.entrySet())) {
      Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
      if (!out.runs().keeps(entry.getKey(), lastKey, entry.getValue(), lastValue)) {
        lastKey = out.writeElement(entry.getKey(), lastKey);
        lastValue = out.writeElement(entry.getValue(), lastValue);
      }
    }
    out.runs().flush();
    end(out);
    return true;
  }

  private static Object[] inOrderOfTable(Set<?> elements) {
    Object[] inOrder = elements.toArray();
    if (BACKWARDS) {
      Collections.reverse(Arrays.asList(inOrder));
    }
    return inOrder;
  }

  private boolean writeContent(ObjectWriter out, int tag, Collection<?> elements)
      throws IOException {
    writeHeader(out, tag, elements.size());
    SequenceMarshaler.writeElements(out, elements);
    end(out);
    return true;
  }

  /** Of a list; 0 if it does not tell. */
  private int tag(ObjectWriter out, List<?> list) throws IOException {
    if (list.size() <= 2 && list.getClass().getName().endsWith("List12")) {
      return LIST;
    }
    if (nulls == null) {
      return 0;
    }
    out.buffer.reserve(1);
    nulls.getPrimitives(list, out.buffer.bytes, out.buffer.position);
    return out.buffer.bytes[out.buffer.position] == 0 ? LIST : LIST_WITH_NULLS;
  }

  private void writeHeader(ObjectWriter out, int tag, int elements) throws IOException {
    if (isShort(out) && ShortForms.hasRoomFor(elements)) {
      out.buffer.writeVarInt(ShortForms.taggedLength(elements, tag));
      return;
    }
    beginGeneral(out);
    out.buffer.writeInt(out.isLittleEndian() ? tag : Integer.reverseBytes(tag));
    writeSizeBlock(out, elements);
  }
}
