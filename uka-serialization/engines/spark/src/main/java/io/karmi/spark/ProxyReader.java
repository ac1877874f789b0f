package io.karmi.spark;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.ClassLevel;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.strategy.SerializableReader;
import java.io.IOException;
import java.io.InvalidClassException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import scala.collection.Factory;
import scala.collection.generic.DefaultSerializationProxy;
import scala.collection.generic.SerializeEnd$;
import scala.collection.mutable.Builder;

/**
 * Reader of the proxies of Scala's collections, which does what their {@code readObject} and {@code
 * readResolve} do, without a call of the stream for each element.
 *
 * <p>Where a hook may observe the calls or the elements, the proxy's own methods run.
 */
final class ProxyReader extends Unmarshaler {
  private static final @Nullable FieldAccess FACTORY =
      LocalFields.reach(DefaultSerializationProxy.class, "factory");

  private final Unmarshaler general;
  private final ClassLevel level;

  private ProxyReader(ReadType type, ClassLevel level) {
    super(type);
    this.level = level;
    general = new SerializableReader(type);
  }

  /** The reader of a type of proxies; null if that cannot be. */
  static @Nullable Unmarshaler of(ReadType type) throws InvalidClassException {
    return FACTORY == null ? null : new ProxyReader(type, ClassLevel.of(type)[0]);
  }

  @Override
  public boolean resolves() {
    return true;
  }

  @Override
  public @Nullable Object readShared(ReadContext in) throws IOException {
    return in.finish(type, unmarshal(in, false), false);
  }

  @Override
  public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    if (unshared || in.isWatched() || in.hooks.overridesCalls()) {
      return general.unmarshal(in, unshared);
    }
    var proxy = (DefaultSerializationProxy<?>) Objects.requireNonNull(create(in, false));
    in.callbacks().readInstead(proxy, level, ProxyReader::readElements);
    in.callbacks().endLevel(level);
    if (in.isMarked()) {
      return proxy;
    }
    Object collection = proxy.readResolve();
    in.complete(collection, false);
    return collection;
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // as the proxy does; no reader is made without access
  private static void readElements(ReadContext in, Object object)
      throws IOException, ClassNotFoundException {
    in.callbacks().defaultReadObject();
    DefaultSerializationProxy<Object> proxy = (DefaultSerializationProxy<Object>) object;
    proxy.builder_$eq(((Factory<Object, Object>) FACTORY.getReference(proxy, 0)).newBuilder());
    int size = in.blocks().readInt();
    if (size >= 0) {
      proxy.builder().sizeHint(size);
    }
    if (size == 0) {
      return;
    }
    int handle = in.currentHandle();
    in.beginElements();
    for (int i = 0; i != size; i++) {
      Builder<Object, Object> builder = proxy.builder();
      Object element = in.takeInteger();
      if (element == null) {
        element = in.readElement(handle, 0);
        if (in.isMarked()) {
          return;
        }
        if (size < 0 && SerializeEnd$.MODULE$.equals(element)) {
          break;
        }
      }
      builder.addOne(element);
    }
    in.blocks().setBlockMode(true);
  }
}
