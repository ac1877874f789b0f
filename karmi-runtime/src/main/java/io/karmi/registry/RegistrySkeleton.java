package io.karmi.registry;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.reference.CallContext;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.reference.Skeleton;
import io.karmi.stub.UnknownInterfaces;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * Skeleton in front of a registry's own: lets only the local host write, takes what it binds at any
 * length, counts it, and accepts stubs whose interfaces are not known here. Thread-safe.
 */
final class RegistrySkeleton extends Skeleton {
  private final Skeleton guarded;

  private final CountedBindings bindings = new CountedBindings();

  /** The name of the method by number if it writes, or null. */
  private final String[] writing;

  /** The count of a registry, or null if it is not exported on KaRMI. */
  static @Nullable CountedBindings bindingsOf(Remote registry) {
    ServerRef entry = Node.current().exported(registry);
    return entry != null && entry.skeleton() instanceof RegistrySkeleton guard
        ? guard.bindings
        : null;
  }

  RegistrySkeleton(Skeleton guarded) {
    super(guarded.remoteInterface());
    this.guarded = guarded;
    RemoteInterface methods = guarded.remoteInterface();
    writing = new String[methods.methodCount()];
    for (int number = 0; number < writing.length; number++) {
      String signature = methods.methodName(number);
      String name = signature.substring(0, signature.indexOf('('));
      if (name.equals("bind") || name.equals("rebind") || name.equals("unbind")) {
        writing[number] = name;
      }
    }
  }

  @Override
  public void upCall(Remote target, int methodNumber, CallInput in, CallOutput out)
      throws Throwable {
    String operation = writing[methodNumber];
    if (operation == null) {
      guarded.upCall(target, methodNumber, in, out);
      return;
    }
    WritePermission.check("Registry." + operation);
    CallContext.takeLongArguments();
    UnknownInterfaces.accept();
    try {
      guarded.upCall(bindings.during((Registry) target), methodNumber, in, out);
    } finally {
      UnknownInterfaces.refuse();
    }
  }
}
