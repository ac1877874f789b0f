package io.karmi.uka.codec;

import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times that their class replaces ({@code java.time}): written as the object that
 * replaces them, without making that.
 *
 * <p>Type and bytes are those of the replacement, which only such streams get to see on which a
 * program replaces objects, or watches how they are written.
 */
public final class TimeValueMarshaler extends ObjectMarshaler {
  private final ObjectMarshaler replaced;
  private final TimeMarshaler general;

  private TimeValueMarshaler(LocalClass replacement, LocalClass type) {
    super(replacement);
    replaced = new GeneralMarshaler(type);
    general = new TimeMarshaler(replacement);
  }

  /** The one for this class; null if the JDK replaces its objects in a way of its own. */
  static @Nullable ObjectMarshaler of(LocalClass type) {
    LocalClass replacement = PlatformMarshaler.replacement("java.time.Ser");
    return replacement == null ? null : new TimeValueMarshaler(replacement, type);
  }

  @Override
  public Marshaler whenReplacing() {
    return replaced;
  }

  @Override
  public void marshal(ObjectWriter out, Object object) throws IOException {
    if (out.showsCalls() || !general.isShort(out) || !TimeForms.write(object, out.buffer)) {
      general.marshal(out, Objects.requireNonNull(replaced.replace(object)));
    }
  }
}
