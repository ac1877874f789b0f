package io.karmi.stub;

import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallObjectInput;
import io.karmi.marshal.CallObjectOutput;
import io.karmi.reference.ClientRef;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;

/**
 * A stub on its way through an object stream: the remote interfaces and the reference, but no generated class.
 *
 * <p>In a call the interfaces travel by name, and the receiver makes a stub of those it can see, as long as there is one.
 * In any other stream they travel as class objects, so that the stream's own way of finding classes is followed.
 *
 * <p>It is {@link Remote} and contains no object but classes, because the filter of stock registries lets nothing else
 * pass.
 */
public final class StubForm implements Remote, Externalizable {
  private static final long serialVersionUID = 1;

  private static final int BY_NAME = 0;
  private static final int BY_CLASS = 1;
  private static final int MAXIMUM_INTERFACES = 256;

  /** What is written. */
  private transient Stub stub;

  /** What was read. */
  private transient Remote arrived;

  /** For {@link Externalizable} only. */
  public StubForm() {}

  StubForm(Stub stub) {
    this.stub = stub;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    if (out instanceof CallObjectOutput || stub.hasUnknownInterfaces()) {
      out.writeByte(BY_NAME);
      String[] names = stub.interfaceNames();
      out.writeShort(names.length);
      for (String name : names) {
        out.writeUTF(name);
      }
    } else {
      out.writeByte(BY_CLASS);
      Class<?>[] interfaces = stub.getClass().getInterfaces();
      out.writeShort(interfaces.length);
      for (Class<?> each : interfaces) {
        out.writeObject(each);
      }
    }
    stub.reference().writeExternal(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
    int form = in.readByte();
    int count = in.readUnsignedShort();
    if (form != BY_NAME && form != BY_CLASS || count > MAXIMUM_INTERFACES) {
      throw new InvalidObjectException("stub of form " + form + " with " + count + " interfaces");
    }
    List<Class<?>> interfaces = new ArrayList<>(count);
    String[] names = null;
    if (form == BY_CLASS) {
      for (int i = 0; i < count; i++) {
        interfaces.add(checked((Class<?>) in.readObject()));
      }
    } else {
      names = readNames(in, count);
      addVisible(names, in, interfaces);
    }
    ClientRef reference = new ClientRef();
    reference.readExternal(in);
    arrived = makeStub(reference, interfaces, names);
  }

  private static String[] readNames(ObjectInput in, int count) throws IOException {
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = in.readUTF();
    }
    return names;
  }

  private static void addVisible(String[] names, ObjectInput in, List<Class<?>> interfaces)
      throws IOException, ClassNotFoundException {
    ClassNotFoundException missing = null;
    boolean useful = false;
    for (String name : names) {
      try {
        Class<?> found = resolve(name, in);
        interfaces.add(checked(found));
        useful |= found != Remote.class;
      } catch (ClassNotFoundException e) {
        missing = e;
      }
    }
    if (missing != null && !useful && !UnknownInterfaces.areAccepted()) {
      throw missing;
    }
  }

  private static Class<?> resolve(String name, ObjectInput in) throws ClassNotFoundException {
    if (in instanceof CallObjectInput) {
      CallInput call = ((CallObjectInput) in).call();
      return call.translation().resolveClass(name, call.defaultLoader());
    }
    return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
  }

  private static Class<?> checked(Class<?> type) throws InvalidObjectException {
    if (!type.isInterface() || !Remote.class.isAssignableFrom(type)) {
      throw new InvalidObjectException("stub of " + type.getName() + ", no remote interface");
    }
    return type;
  }

  private static Remote makeStub(ClientRef reference, List<Class<?>> interfaces, String[] names) {
    Remote made =
        interfaces.isEmpty()
            ? new Stub(reference)
            : StubTypes.of(interfaces.toArray(new Class<?>[0])).makeStub(reference);
    if (made instanceof Stub && names != null && names.length > interfaces.size()) {
      ((Stub) made).withInterfaceNames(names);
    }
    return made;
  }

  private Object readResolve() {
    return arrived;
  }
}
