package io.karmi.stub;

import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallObjectInput;
import io.karmi.reference.ClientRef;
import io.karmi.uka.platform.ResolvesItself;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stub on its way through a call: the names of the remote interfaces, and the reference.
 *
 * <p>The receiver makes a stub of those interfaces that it can see, as long as there is one.
 */
public final class StubForm implements Remote, Externalizable, ResolvesItself {
  private static final long serialVersionUID = 1;

  private static final int MAXIMUM_INTERFACES = 256;

  /** The stub that is written; null if it was read. */
  private transient @Nullable Stub stub;

  /** The stub that was read; null if it is written. */
  private transient @Nullable Remote arrived;

  /** For {@link Externalizable} only. */
  public StubForm() {}

  StubForm(Stub stub) {
    this.stub = stub;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    Stub written = Objects.requireNonNull(stub);
    String[] names = written.interfaceNames();
    out.writeShort(names.length);
    for (String name : names) {
      out.writeUTF(name);
    }
    written.reference().writeExternal(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
    String[] names = readNames(in);
    Class<?>[] visible = visible(names, in);
    ClientRef reference = new ClientRef();
    reference.readExternal(in);
    if (in instanceof CallObjectInput call && !StubTypes.isMade(visible)) {
      call.call().countClasses();
    }
    arrived = StubTypes.makeStub(reference, names, visible);
  }

  private static String[] readNames(ObjectInput in) throws IOException {
    int count = in.readUnsignedShort();
    if (count > MAXIMUM_INTERFACES) {
      throw new InvalidObjectException("stub with " + count + " interfaces");
    }
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = in.readUTF();
    }
    return names;
  }

  private static Class<?>[] visible(String[] names, ObjectInput in)
      throws IOException, ClassNotFoundException {
    List<Class<?>> visible = new ArrayList<>(names.length);
    ClassNotFoundException missing = null;
    for (String name : names) {
      try {
        Class<?> found = resolve(name, in);
        StubTypes.checkRemote(found);
        NamedInterface.check(found, in);
        visible.add(found);
      } catch (ClassNotFoundException e) {
        missing = e;
      }
    }
    if (missing != null && visible.isEmpty() && !UnknownInterfaces.areAccepted()) {
      throw missing;
    }
    return visible.toArray(new Class<?>[0]);
  }

  private static Class<?> resolve(String name, ObjectInput in) throws ClassNotFoundException {
    if (in instanceof CallObjectInput) {
      CallInput call = ((CallObjectInput) in).call();
      return call.translation().resolveClass(name, call.defaultLoader());
    }
    return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
  }

  @Override
  public @Nullable Object resolution() {
    return arrived;
  }

  private @Nullable Object readResolve() {
    return arrived;
  }
}
