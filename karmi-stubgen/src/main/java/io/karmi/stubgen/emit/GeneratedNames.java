package io.karmi.stubgen.emit;

import io.karmi.stubgen.model.RemoteModel;
import java.util.Set;

/**
 * Names of generated classes.
 *
 * <p>For one remote interface {@code app.Clock} they are {@code app.Clock_KStub} and {@code
 * app.Clock_KSkel}. For several, one of them gives the name ({@link RemoteModel#home}) and all of
 * them a suffix: {@code app.Clock_KStub_1f0c…}. The classes are in that interface's package,
 * because it may not be public; only packages of the JDK, to which no class may be added, are moved
 * under {@code io.karmi.generated}.
 */
public final class GeneratedNames {
  private static final Set<String> SUPERCLASSES =
      Set.of(RuntimeNames.STUB, RuntimeNames.SKELETON, RuntimeNames.ARGUMENTS);

  private GeneratedNames() {}

  /** The binary name of the stub. */
  public static String stub(RemoteModel model) {
    return base(model) + "_KStub" + suffix(model);
  }

  /** The binary name of the skeleton. */
  public static String skeleton(RemoteModel model) {
    return base(model) + "_KSkel" + suffix(model);
  }

  /**
   * Whether a class with this superclass, a binary name, is a stub, a skeleton or a part of one.
   */
  public static boolean isOfGenerated(String superclass) {
    return SUPERCLASSES.contains(superclass.replace('.', '/'));
  }

  private static String base(RemoteModel model) {
    String home = model.home();
    return home.startsWith("java.") ? "io.karmi.generated." + home : home;
  }

  private static String suffix(RemoteModel model) {
    return model.interfaces().size() == 1 ? "" : "_" + Long.toHexString(model.interfacesHash());
  }
}
