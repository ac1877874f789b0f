package io.karmi.uka.access;

import io.karmi.settings.Settings;
import io.karmi.uka.codegen.AccessGenerator;
import io.karmi.uka.codegen.DirectFieldCode;
import io.karmi.uka.codegen.HandleFieldCode;
import io.karmi.uka.codegen.UnsafeFieldCode;
import io.karmi.uka.field.AccessTrace;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.field.RecordAccess;
import io.karmi.uka.field.ReflectiveAccess;
import io.karmi.uka.field.StreamAccess;
import io.karmi.uka.field.UnsafeAccess;
import io.karmi.uka.platform.CodeGeneration;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.TypeCode;
import io.karmi.uka.platform.UnsafeMethods;
import java.io.InvalidClassException;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Strategies to reach fields, best first. */
public enum AccessStrategy {
  NESTMATE,
  INTERNAL_UNSAFE,
  HANDLES,
  UNSAFE,
  REFLECTION,
  STREAMS;

  private static final AccessStrategy[] ALL =
      CodeGeneration.IS_OFF ? new AccessStrategy[] {REFLECTION, STREAMS} : values();

  /**
   * Access to these fields of {@code declaring}, primitives first, for code that moves them one by
   * one: provisional until it has been used often.
   *
   * @throws InvalidClassException if no strategy reaches them
   */
  public static FieldAccess upgrading(Class<?> declaring, Field[] fields, ByteOrder order)
      throws InvalidClassException {
    char[] codes = new char[fields.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = TypeCode.of(fields[i].getType());
    }
    return UpgradingAccess.open(
        new FieldLayout(declaring, codes, fields.clone(), order, NumberWidth.FULL, false));
  }

  /**
   * Access to the fields as a stream describes them.
   *
   * @param codes the type code of each field, as in a descriptor; references are {@code L} or
   *     {@code [}
   * @param fields the local field for each, or null where the local class has none
   * @param width of whole numbers; other than full for reading little-endian blocks only
   * @throws InvalidClassException if no strategy reaches them
   */
  public static FieldAccess of(
      Class<?> declaring,
      char[] codes,
      @Nullable Field[] fields,
      ByteOrder order,
      NumberWidth width)
      throws InvalidClassException {
    return open(new FieldLayout(declaring, codes.clone(), fields.clone(), order, width));
  }

  /**
   * Provisional access for the first objects of a class, to be replaced by {@link #of} when {@link
   * FieldAccess#isDue}.
   */
  public static FieldAccess first(
      Class<?> declaring,
      char[] codes,
      @Nullable Field[] fields,
      ByteOrder order,
      NumberWidth width)
      throws InvalidClassException {
    return openFirst(new FieldLayout(declaring, codes.clone(), fields.clone(), order, width));
  }

  /** Opens the fields by this strategy. */
  private FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
    return switch (this) {
      case NESTMATE -> AccessGenerator.generate(layout, DirectFieldCode.of(layout));
      case INTERNAL_UNSAFE -> AccessGenerator.generate(layout, UnsafeFieldCode.internal(layout));
      case HANDLES -> AccessGenerator.generate(layout, HandleFieldCode.of(layout));
      case UNSAFE -> AccessGenerator.generate(layout, UnsafeFieldCode.supported(layout));
      case REFLECTION -> openReflectively(layout);
      case STREAMS ->
          layout.declaring.isRecord()
              ? RecordAccess.open(layout)
              : new StreamAccess(false).open(layout);
    };
  }

  private static FieldAccess openReflectively(FieldLayout layout)
      throws ReflectiveOperationException {
    try {
      return ReflectiveAccess.open(layout, false);
    } catch (IllegalAccessException e) {
      UnsafeMethods unsafe = CodeGeneration.IS_OFF ? UnsafeMethods.any() : null;
      if (unsafe == null) {
        throw e;
      }
      return UnsafeAccess.open(layout, unsafe, false); // where others generate code that uses it
    }
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Access by the first strategy that reaches the fields, starting with {@code uka.access}. */
  static FieldAccess open(FieldLayout layout) throws InvalidClassException {
    AccessStrategy preferred =
        Permitted.isNeeded() ? Permitted.get(AccessStrategy::preferred) : preferred();
    if (preferred == null && !layout.isSettable() && !CodeGeneration.IS_OFF) {
      preferred = INTERNAL_UNSAFE; // the only one that gets and sets all fields fast
    }
    StringBuilder reasons = new StringBuilder();
    if (preferred != null) {
      FieldAccess access = preferred.openOrExplain(layout, reasons);
      if (access != null) {
        return access;
      }
    }
    for (AccessStrategy strategy : ALL) {
      FieldAccess access = strategy == preferred ? null : strategy.openOrExplain(layout, reasons);
      if (access != null) {
        return access;
      }
    }
    throw new InvalidClassException(
        layout.declaring.getName(),
        "no access to its fields:"
            + reasons
            + "; open its package to this library, or weave the class");
  }

  /** Provisional access, unless {@code uka.access} names a strategy or there is none. */
  static FieldAccess openFirst(FieldLayout layout) throws InvalidClassException {
    FieldAccess access =
        Permitted.isNeeded() ? Permitted.get(() -> provisional(layout)) : provisional(layout);
    return access == null ? open(layout) : access;
  }

  private static @Nullable FieldAccess provisional(FieldLayout layout) {
    if (preferred() != null || CodeGeneration.IS_OFF) {
      return null; // nothing better will take its place
    }
    UnsafeMethods unsafe = UnsafeMethods.any();
    FieldAccess access = unsafe == null ? null : provisional(layout, unsafe);
    if (access != null) {
      return access; // reflection makes more method handles at its first uses, from JDK 18 on
    }
    try {
      access = ReflectiveAccess.open(layout, true);
    } catch (IllegalAccessException e) {
      return layout.isSettable() ? null : provisionalStreams(layout);
    }
    AccessTrace.print(layout.declaring, REFLECTION.label());
    return access;
  }

  private static @Nullable FieldAccess provisionalStreams(FieldLayout layout) {
    try {
      FieldAccess access = new StreamAccess(true).open(layout);
      AccessTrace.print(layout.declaring, STREAMS.label());
      return access;
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static @Nullable FieldAccess provisional(FieldLayout layout, UnsafeMethods unsafe) {
    try {
      FieldAccess access = UnsafeAccess.open(layout, unsafe, true);
      AccessTrace.print(layout.declaring, (unsafe.isInternal() ? INTERNAL_UNSAFE : UNSAFE).label());
      return access;
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  @Nullable FieldAccess openOrExplain(FieldLayout layout, StringBuilder reasons) {
    return Permitted.isNeeded()
        ? Permitted.get(() -> openPermitted(layout, reasons))
        : openPermitted(layout, reasons);
  }

  private @Nullable FieldAccess openPermitted(FieldLayout layout, StringBuilder reasons) {
    FieldAccess access;
    try {
      access = tryOpen(layout);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      reasons.append(' ').append(label()).append(": ").append(e.getMessage()).append(';');
      return null;
    }
    access.withLayout(layout);
    AccessTrace.print(layout.declaring, label());
    return access;
  }

  private static @Nullable AccessStrategy preferred() {
    String label = Settings.ACCESS.get();
    if (label == null) {
      return null;
    }
    for (AccessStrategy strategy : values()) {
      if (strategy.label().equals(label)) {
        return List.of(ALL).contains(strategy) ? strategy : null;
      }
    }
    StringBuilder labels = new StringBuilder();
    for (AccessStrategy strategy : values()) {
      labels.append(labels.length() == 0 ? "" : ", ").append(strategy.label());
    }
    throw new IllegalArgumentException(
        "uka.access=" + label + " is no way to reach fields; choose one of " + labels);
  }
}
