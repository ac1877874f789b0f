package io.karmi.uka.marshal.access;

import java.io.InvalidClassException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ways to reach fields, best first; each works on its own. */
enum Rung {
  NESTMATE {
    @Override
    FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
      return AccessGenerator.generate(layout, DirectFieldCode.of(layout));
    }
  },
  INTERNAL_UNSAFE {
    @Override
    FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
      return AccessGenerator.generate(layout, UnsafeFieldCode.internal(layout));
    }
  },
  HANDLES {
    @Override
    FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
      return AccessGenerator.generate(layout, HandleFieldCode.of(layout));
    }
  },
  UNSAFE {
    @Override
    FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
      return AccessGenerator.generate(layout, UnsafeFieldCode.supported(layout));
    }
  },
  REFLECTION {
    @Override
    FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
      return ReflectiveAccess.open(layout);
    }
  },
  STREAMS {
    @Override
    FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException {
      return layout.declaring.isRecord() ? RecordAccess.open(layout) : StreamAccess.open(layout);
    }
  };

  private static final Rung[] LADDER = values();

  /** Opens the fields by this rung, or says why it cannot. */
  abstract FieldAccess tryOpen(FieldLayout layout) throws ReflectiveOperationException;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The first rung that reaches the fields, starting with the one that {@code uka.access} names.
   */
  static FieldAccess open(FieldLayout layout) throws InvalidClassException {
    Rung preferred = Permitted.isNeeded() ? Permitted.get(Rung::preferred) : preferred();
    StringBuilder reasons = new StringBuilder();
    if (preferred != null) {
      FieldAccess access = preferred.openOrExplain(layout, reasons);
      if (access != null) {
        return access;
      }
    }
    for (Rung rung : LADDER) {
      FieldAccess access = rung == preferred ? null : rung.openOrExplain(layout, reasons);
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

  /**
   * A slow way until it pays to climb the ladder, unless {@code uka.access} names a rung or there
   * is no such way.
   */
  static FieldAccess openFirst(FieldLayout layout) throws InvalidClassException {
    FieldAccess access =
        Permitted.isNeeded() ? Permitted.get(() -> provisional(layout)) : provisional(layout);
    return access == null ? open(layout) : access;
  }

  private static @Nullable FieldAccess provisional(FieldLayout layout) {
    if (preferred() != null) {
      return null;
    }
    try {
      FieldAccess access = ReflectiveAccess.first(layout);
      trace(layout.declaring, REFLECTION.label());
      return access;
    } catch (IllegalAccessException e) {
      UnsafeHandles unsafe = UnsafeHandles.any();
      return unsafe == null ? null : provisional(layout, unsafe);
    }
  }

  private static @Nullable FieldAccess provisional(FieldLayout layout, UnsafeHandles unsafe) {
    try {
      FieldAccess access = UnsafeAccess.first(layout, unsafe);
      trace(layout.declaring, (unsafe.isInternal() ? INTERNAL_UNSAFE : UNSAFE).label());
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
    access.layout = layout;
    trace(layout.declaring, label());
    return access;
  }

  static void trace(Class<?> type, String way) {
    if ("access".equals(System.getProperty("uka.trace"))) {
      System.err.println("uka access: " + type.getName() + ": " + way);
    }
  }

  private static @Nullable Rung preferred() {
    String label = System.getProperty("uka.access");
    if (label == null || label.isEmpty()) {
      return null;
    }
    for (Rung rung : LADDER) {
      if (rung.label().equals(label)) {
        return rung;
      }
    }
    throw new IllegalArgumentException(
        "uka.access="
            + label
            + " is no way to reach fields; choose one of nestmate, internal-unsafe, "
            + "handles, unsafe, reflection, streams");
  }
}
