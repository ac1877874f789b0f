package io.karmi.stub;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.rmi.Remote;

/**
 * The module of a remote interface, as a place for the classes that karmic has made, and for
 * methods that KaRMI invokes.
 *
 * <p>Karmic's classes lie in the package of the interface and extend classes of KaRMI, which their
 * module has to read; and KaRMI instantiates them, for which it has to see the package. A module
 * that was compiled for java.rmi declares neither. Where java.lang is open to KaRMI, as under the
 * agent, it is given both at run time: to the module of KaRMI, which is that of the class path
 * where {@code karmi.jar} is on it, and only packages that java.rmi sees. Elsewhere options of the
 * command line are needed.
 */
final class HomeModule {
  private static final System.Logger LOG = System.getLogger("io.karmi.stub");
  private static final Module KARMI = HomeModule.class.getModule();

  private final Module module;
  private final String packageName;

  HomeModule(Class<?> home) {
    module = home.getModule();
    packageName = home.getPackageName();
  }

  boolean readsKarmi() {
    return module.canRead(KARMI);
  }

  /**
   * Makes the module read KaRMI.
   *
   * @param reason the class that needs it
   * @return whether it reads KaRMI now
   */
  boolean readKarmi(String reason) {
    try {
      ofJdk("implAddReads", Module.class).invoke(module, KARMI);
      return true;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) { // what a method handle may throw
      say(reason, "--add-reads=" + module.getName() + "=", e);
      return false;
    }
  }

  /** Whether KaRMI sees a class that karmic has made; makes it so, if java.rmi sees it. */
  boolean letsKarmiAt(Class<?> made) {
    if (made.getModule() != module || module.isExported(packageName, KARMI)) {
      return true;
    }
    if (!module.isExported(packageName, Remote.class.getModule())) {
      return false; // stock RMI cannot call it either
    }
    try {
      ofJdk("implAddExports", String.class, Module.class).invoke(module, packageName, KARMI);
      return true;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) { // what a method handle may throw
      say(made.getName(), "--add-exports=" + module.getName() + "/" + packageName + "=", e);
      return false;
    }
  }

  /**
   * Makes KaRMI see a method of the interface, if java.rmi sees it: what is exported to java.rmi is
   * exported to KaRMI, and what is open to java.rmi is open to KaRMI.
   *
   * @throws InaccessibleObjectException if java.rmi does not see it, or the JDK does not let KaRMI
   */
  void letKarmiInvoke(Method method) {
    Module rmi = Remote.class.getModule();
    boolean isPublic = Modifier.isPublic(method.getDeclaringClass().getModifiers());
    boolean exported = isPublic && module.isExported(packageName, rmi);
    if (!exported && !module.isOpen(packageName, rmi)) {
      throw new InaccessibleObjectException(
          "cannot invoke "
              + method
              + ": "
              + module
              + (isPublic ? " does not export " : " does not open ")
              + packageName
              + " to "
              + rmi);
    }
    try {
      ofJdk(exported ? "implAddExports" : "implAddOpens", String.class, Module.class)
          .invoke(module, packageName, KARMI);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) { // what a method handle may throw
      String option = exported ? "--add-exports=" : "--add-opens=";
      InaccessibleObjectException refused =
          new InaccessibleObjectException(
              "cannot invoke "
                  + method
                  + hidden()
                  + option
                  + module.getName()
                  + "/"
                  + packageName
                  + "="
                  + optionTarget());
      refused.initCause(e);
      throw refused;
    }
  }

  private void say(String reason, String option, Throwable cause) {
    LOG.log(Level.WARNING, reason + " is not used" + hidden() + option + optionTarget(), cause);
  }

  private String hidden() {
    return ": KaRMI and " + module + " are hidden from each other; add ";
  }

  private static String optionTarget() {
    return KARMI.isNamed() ? KARMI.getName() : "ALL-UNNAMED";
  }

  /** An internal method of the JDK: no public one lets a third module do this. */
  private static MethodHandle ofJdk(String name, Class<?>... parameters)
      throws ReflectiveOperationException {
    return MethodHandles.privateLookupIn(Module.class, MethodHandles.lookup())
        .findVirtual(Module.class, name, MethodType.methodType(void.class, parameters));
  }
}
