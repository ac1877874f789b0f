package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadStrategies;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.FailurePath;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.engine.write.WriteStrategies;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.field.SelfMarshalling;
import io.karmi.uka.strategy.AwareMarshaler;
import io.karmi.uka.strategy.AwareReader;
import io.karmi.uka.strategy.ExternalMarshaler;
import io.karmi.uka.strategy.ExternalReader;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.strategy.Marshalers;
import io.karmi.uka.strategy.PlainMarshaler;
import io.karmi.uka.strategy.PlainReader;
import io.karmi.uka.strategy.RecordReader;
import io.karmi.uka.strategy.SerializableReader;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.Modifier;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Choice of the strategies by which objects of each class are written and read. */
public final class Strategies implements WriteStrategies, ReadStrategies {
  /** The choice that all streams share. */
  public static final Strategies INSTANCE = new Strategies();

  private static final ClassValue<Marshaler> MARSHALERS =
      new ClassValue<>() {
        @Override
        protected Marshaler computeValue(Class<?> type) {
          return choose(LocalClass.of(type));
        }
      };

  private Strategies() {}

  @Override
  public Marshaler marshaler(Class<?> type) {
    return MARSHALERS.get(type);
  }

  private static Marshaler choose(LocalClass type) {
    Marshaler special = Marshalers.of(type);
    if (special != null) {
      return special;
    }
    ObjectMarshaler known =
        type.type.getClassLoader() == null
            ? PlatformCodecs.marshaler(type)
            : LibraryCodecs.marshaler(type);
    if (known != null) {
      return known;
    }
    if (type.isExternalizable && !type.isProxy && !type.isRecord) {
      return new ExternalMarshaler(type);
    }
    return marshalsItself(type) ? new AwareMarshaler(type, byFields(type)) : byFields(type);
  }

  private static ObjectMarshaler byFields(LocalClass type) {
    return !FailurePath.IS_KEPT && PlainMarshaler.canWrite(type)
        ? new PlainMarshaler(type)
        : new GeneralMarshaler(type);
  }

  /** Whether objects of the class are written and read by the class itself (paper 3.7). */
  private static boolean marshalsItself(LocalClass type) {
    return !FailurePath.IS_KEPT
        && SelfMarshalling.class.isAssignableFrom(type.type)
        && ObjectMarshaler.hasDefaultFormOnly(type);
  }

  @Override
  public boolean writeReferences(ObjectWriter out, LocalClass level, @Nullable Object[] references)
      throws IOException {
    return level.type == ConcurrentHashMap.class
        && ConcurrentMapCodec.Segments.writeReferences(out, references);
  }

  @Override
  public Unmarshaler unmarshaler(ReadType type) throws InvalidClassException {
    String name = type.shortForm();
    if (name == null) {
      return ofGeneralForm(type);
    }
    ShortForm form = PlatformCodecs.shortForm(name);
    Unmarshaler compact = (Unmarshaler) form.codec().readerOfShortForm(type, name);
    if (compact != null) {
      return compact;
    }
    Unmarshaler general = ofGeneralForm(type);
    LocalClass local = type.local();
    boolean same = local != null && local.name.equals(name);
    if (general instanceof PlatformReader platform) {
      return same ? platform : platform.general;
    }
    Unmarshaler expanding = new ShortForms.Reader(type, form, general);
    return same
        ? (Unmarshaler) form.codec().readerByExpansion(type, general, expanding)
        : expanding;
  }

  private static Unmarshaler ofGeneralForm(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    if (local != null && local.isRecord) {
      return new RecordReader(type, local);
    }
    if (type.isExternalizable()) {
      return new ExternalReader(type);
    }
    if (local != null
        && type.width() == NumberWidth.FULL
        && marshalsItself(local)
        && !Modifier.isAbstract(local.type.getModifiers())
        && type.equalsLocal()) {
      return new AwareReader(type, local, byFields(type));
    }
    return byFields(type);
  }

  private static Unmarshaler byFields(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    Unmarshaler special =
        local != null && type.width() == NumberWidth.FULL && type.equalsLocal()
            ? special(type, local)
            : null;
    if (special != null) {
      return special;
    }
    if (local != null && local.recordConstructor() != null) {
      return new RecordReader(type, local);
    }
    PlainReader plain = PlainReader.of(type);
    return plain == null ? new SerializableReader(type) : plain;
  }

  private static @Nullable Unmarshaler special(ReadType type, LocalClass local)
      throws InvalidClassException {
    return local.type.getClassLoader() == null
        ? PlatformCodecs.reader(type, local)
        : LibraryCodecs.reader(type);
  }

  @Override
  public boolean skip(ReadContext in, ReadType type) throws IOException {
    if (!ConcurrentMapCodec.Segments.areOf(type)) {
      return false;
    }
    ConcurrentMapCodec.Segments.pass(in, type);
    return true;
  }

  @Override
  public boolean skipShortForm(ReadContext in, String form) throws IOException {
    ShortForm shortForm = PlatformCodecs.shortForm(form);
    if (!shortForm.codec().expands()) {
      in.buffer.readVarLong();
      return true;
    }
    new ShortForms(in, shortForm).expand();
    return false;
  }
}
