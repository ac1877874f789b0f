package io.karmi.uka.codec;

import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Concurrent maps: keys and values, and two nulls. Before them come the {@link Segments} of old,
 * which a reader that knows their types can make itself.
 */
public final class ConcurrentMapMarshaler extends PlatformMarshaler {
  ConcurrentMapMarshaler(LocalClass type) {
    super(type);
  }

  @Override
  public boolean writeContent(ObjectWriter out, Object object) throws IOException {
    if (!isShort(out) || !Segments.areKnown(out)) {
      return false;
    }
    out.buffer.writeVarInt(0);
    Segments.skipHandles(out);
    out.entries().write((ConcurrentHashMap<?, ?>) object);
    out.writeReference(null);
    out.writeReference(null);
    end(out);
    return true;
  }
}
