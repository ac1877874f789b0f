package io.karmi.stubgen.model;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;

/**
 * Check that finds all problems of a remote interface, or of those of a class, at once.
 *
 * <p>Errors are methods that declare no RemoteException, classes that are missing, and parameters
 * and results that no value but null can have remotely. Only suspected are those of a class whose
 * subclasses may be serializable.
 */
public final class RemoteCheck {
  private static final String SERIALIZABLE = "java.io.Serializable";
  private static final String REMOTE = "java.rmi.Remote";

  private final Set<Problem> problems = new LinkedHashSet<>();

  private RemoteCheck() {}

  /** The problems of a remote interface, or of a class that implements some. */
  public static List<Problem> of(ClassView type) {
    RemoteCheck check = new RemoteCheck();
    check.check(type);
    return new ArrayList<>(check.problems);
  }

  private void check(ClassView type) {
    List<ClassView> interfaces;
    try {
      interfaces = RemoteModel.remoteInterfacesOf(type);
    } catch (ClassFileException e) {
      problems.add(new Problem(true, type.place(), null, reason(e)));
      return;
    }
    if (interfaces.isEmpty()) {
      problems.add(
          new Problem(
              true,
              type.place(),
              null,
              type.name() + " is not remote: it neither extends nor implements " + REMOTE));
    }
    for (ClassView each : interfaces) {
      checkInterface(each);
    }
  }

  private void checkInterface(ClassView remoteInterface) {
    try {
      if (remoteInterface.isSealed()) {
        String reason = remoteInterface.name() + " is sealed: no stub may implement it";
        problems.add(new Problem(true, remoteInterface.place(), null, reason));
      }
      for (MethodView method : RemoteModel.methodsToCheck(remoteInterface)) {
        checkMethod(method);
      }
    } catch (ClassFileException e) {
      problems.add(new Problem(true, remoteInterface.place(), null, reason(e)));
    }
  }

  private void checkMethod(MethodView method) {
    if (!RemoteModel.admitsRemoteException(method.exceptions())) {
      add(true, method, "does not declare java.rmi.RemoteException");
    }
    if (method.isStatic()) {
      return; // not called remotely
    }
    Type[] parameters = Type.getArgumentTypes(method.descriptor());
    for (int i = 0; i < parameters.length; i++) {
      checkType(method, "parameter " + (i + 1), parameters[i]);
    }
    checkType(method, "its result", Type.getReturnType(method.descriptor()));
    for (ClassView exception : method.exceptions()) {
      try {
        exception.superclass();
      } catch (ClassFileException e) {
        add(true, method, reason(e));
      }
    }
  }

  private void checkType(MethodView method, String what, Type type) {
    Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
    String name = element.getClassName();
    if (element.getSort() != Type.OBJECT
        || name.equals("java.lang.Object")
        || what.equals("its result") && name.equals("java.util.concurrent.CompletableFuture")) {
      return;
    }
    try {
      ClassView view = method.declarer().named(name);
      if (!view.isInterface() && !view.isSubtypeOf(SERIALIZABLE) && !view.isSubtypeOf(REMOTE)) {
        String is = what + " is of " + name;
        add(
            view.isFinal(),
            method,
            view.isFinal()
                ? is + ", which is final and neither Serializable nor Remote"
                : is + ", which is neither Serializable nor Remote; only a subclass may be");
      }
    } catch (ClassFileException e) {
      add(true, method, what + ": " + reason(e));
    }
  }

  private void add(boolean isError, MethodView method, String reason) {
    problems.add(new Problem(isError, method.declarer().place(), method.declaration(), reason));
  }

  private static String reason(ClassFileException e) {
    return String.valueOf(e.getMessage());
  }
}
