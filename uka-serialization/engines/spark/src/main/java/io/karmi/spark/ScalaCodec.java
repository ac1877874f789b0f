package io.karmi.spark;

import io.karmi.uka.codec.LibraryCodec;
import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.NumbersWriter;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterable;
import scala.collection.generic.DefaultSerializationProxy;
import scala.collection.generic.SerializeEnd$;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import scala.runtime.ModuleSerializationProxy;

/**
 * Writers of Scala's strict collections, and of the modules that make them, as the proxies that
 * their {@code writeReplace} returns.
 *
 * <p>The bytes are those of the proxies. No method of a program runs meanwhile, so that objects can
 * still be found by their content; and nothing can refer to a proxy, so that it is not looked for.
 */
final class ScalaCodec implements LibraryCodec {
  private static final String PACKAGE = "scala.collection.";

  /** Classes whose {@code foreach} runs no method of a program. Subclasses are other classes. */
  private static final Set<String> COLLECTIONS =
      Set.of(
          "immutable.$colon$colon",
          "immutable.Nil$",
          "immutable.Vector0$",
          "immutable.Vector1",
          "immutable.Vector2",
          "immutable.Vector3",
          "immutable.Vector4",
          "immutable.Vector5",
          "immutable.Vector6",
          "immutable.HashSet",
          "immutable.HashMap",
          "immutable.Queue",
          "mutable.ArrayBuffer",
          "mutable.ListBuffer",
          "mutable.HashSet",
          "mutable.HashMap",
          "mutable.LinkedHashSet",
          "mutable.LinkedHashMap");

  /** Those whose {@code foreach} makes a pair for each entry. */
  private static final Set<String> MAKING_PAIRS =
      Set.of("immutable.HashMap", "mutable.HashMap", "mutable.LinkedHashMap");

  /* The loader of the library. */
  private static final @Nullable ClassLoader LIBRARY = Iterable.class.getClassLoader();

  @Override
  public @Nullable ObjectMarshaler marshaler(LocalClass type) {
    if (type.type.getClassLoader() != LIBRARY || !type.hooks().hasWriteReplace()) {
      return null;
    }
    String name = type.name.startsWith(PACKAGE) ? type.name.substring(PACKAGE.length()) : "";
    if (COLLECTIONS.contains(name)) {
      return new OfCollection(type, MAKING_PAIRS.contains(name));
    }
    boolean isModule = type.name.startsWith("scala.") && type.name.endsWith("$");
    return isModule && !Iterable.class.isAssignableFrom(type.type) ? new OfModule(type) : null;
  }

  /** A frame of this class must stand for one of the library's in the search for a loader. */
  @Override
  public @Nullable Unmarshaler reader(ReadType type) throws InvalidClassException {
    return type.type() == DefaultSerializationProxy.class
            && ScalaCodec.class.getClassLoader() == LIBRARY
        ? ProxyReader.of(type)
        : null;
  }

  /** Writer of what an object of the library is replaced by. */
  private abstract static class OfProxy extends ObjectMarshaler {
    private final ObjectMarshaler replaced;
    private final ObjectMarshaler proxy;

    OfProxy(Class<?> proxy, LocalClass type) {
      super(LocalClass.of(proxy), false);
      replaced = new GeneralMarshaler(type);
      this.proxy = new GeneralMarshaler(this.type);
    }

    @Override
    public final Marshaler whenReplacing() {
      return replaced;
    }

    @Override
    public final void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.showsCalls() || !write(out, object)) {
        proxy.marshal(out, proxyOf(out, object));
      }
    }

    final Object proxyOf(ObjectWriter out, Object object) throws IOException {
      return Objects.requireNonNull(replaced.replace(object, out.format().kind()));
    }

    /** Writes the data of the proxy; false, and nothing has been written, if it has to do that. */
    abstract boolean write(ObjectWriter out, Object object) throws IOException;
  }

  private static final class OfModule extends OfProxy {
    OfModule(LocalClass type) {
      super(ModuleSerializationProxy.class, type);
    }

    @Override
    boolean write(ObjectWriter out, Object object) {
      return false;
    }
  }

  private static final class OfCollection extends OfProxy {
    private static final @Nullable FieldAccess FACTORY =
        LocalFields.reach(DefaultSerializationProxy.class, "factory");

    private final boolean makesPairs;

    /** Factories that know the class's companion only. Others have state of one collection. */
    private static final Set<String> OF_COMPANION =
        Set.of(PACKAGE + "IterableFactory$ToFactory", PACKAGE + "MapFactory$ToFactory");

    /**
     * Equal to those of all proxies of the class; null as long as none has been made, and where
     * they differ. Where the table of handles does not keep it, it stands for them, and no proxy is
     * made.
     */
    private volatile @Nullable Object factory;

    OfCollection(LocalClass type, boolean makesPairs) {
      super(DefaultSerializationProxy.class, type);
      this.makesPairs = makesPairs;
    }

    @Override
    @SuppressWarnings("unchecked") // its elements are only written
    boolean write(ObjectWriter out, Object object) throws IOException {
      Iterable<Object> collection = (Iterable<Object>) object;
      if (FACTORY == null) {
        return false;
      }
      int size = collection.knownSize();
      if (factory == null || !out.writesFresh(factory)) {
        /* The table may keep it, and must not find it again: each proxy has one of its own. */
        Object own = Objects.requireNonNull(FACTORY.getReference(proxyOf(out, object), 0));
        out.writeFresh(own);
        factory = OF_COMPANION.contains(own.getClass().getName()) ? own : null;
      }
      out.format().openBlock(Integer.BYTES);
      out.buffer.writeInt(Integer.reverseBytes(size));
      ElementWriter elements = new ElementWriter(out, makesPairs);
      collection.foreach(elements);
      elements.end();
      if (size < 0) {
        out.writeReference(SerializeEnd$.MODULE$);
      } else if (elements.count != size) {
        throw new IllegalStateException(
            "Illegal size " + elements.count + " of collection, expected " + size);
      }
      out.format().writeToken(Token.END_OF_BLOCKS);
      return true;
    }
  }

  /** What the proxy does with each element; numbers are kept until there are some. */
  private static final class ElementWriter extends AbstractFunction1<Object, BoxedUnit> {
    private static final int MOST_NUMBERS = 16;

    private final ObjectWriter out;

    /** Whether each is a pair that nothing else refers to. */
    private final boolean areFresh;

    private final Object[] numbers = new Object[MOST_NUMBERS];

    /** How many of them have not been written. */
    private int kept;

    private @Nullable Known last;
    private int count;

    ElementWriter(ObjectWriter out, boolean areFresh) {
      this.out = out;
      this.areFresh = areFresh;
    }

    @Override
    public BoxedUnit apply(Object element) {
      count++;
      try {
        if (areFresh) {
          out.writeFresh(element);
        } else if (element instanceof Integer || element instanceof Long) {
          if (kept == MOST_NUMBERS) {
            end();
          }
          numbers[kept++] = element;
        } else {
          end();
          last = out.writeElement(element, last);
        }
      } catch (IOException e) {
        throw Failures.sneak(e);
      }
      return BoxedUnit.UNIT;
    }

    /** Writes the numbers that are kept. */
    void end() throws IOException {
      NumbersWriter.write(out, numbers, kept);
      kept = 0;
    }
  }
}
