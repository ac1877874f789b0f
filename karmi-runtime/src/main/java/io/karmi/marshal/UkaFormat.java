package io.karmi.marshal;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamClass;
import java.lang.ref.WeakReference;
import java.rmi.Remote;

/**
 * UKA-serialization: one stream for each direction of a connection, so that type numbers outlive
 * the messages and a class is described once (paper 3.3).
 */
public final class UkaFormat implements CallFormat {
  @Override
  public String name() {
    return "uka";
  }

  @Override
  public ObjectMarshaler openMarshaler(CallOutput out, OutputBuffer buffer) throws IOException {
    return new Output(out, buffer);
  }

  @Override
  public ObjectUnmarshaler openUnmarshaler(CallInput in, InputBuffer buffer) throws IOException {
    return new Input(in, buffer);
  }

  private static final class Output extends UkaObjectOutputStream
      implements ObjectMarshaler, CallObjectOutput {
    private final CallOutput call;

    @SuppressWarnings("this-escape") // the only way to ask for replaceObject
    Output(CallOutput call, OutputBuffer buffer) throws IOException {
      super(buffer);
      this.call = call;
      enableReplaceObject(true);
    }

    @Override
    public void beginMessage() {
      // the last message has ended with a reset
    }

    @Override
    public void marshal(Object object) throws IOException {
      writeObject(object);
    }

    @Override
    public void endMessage() throws IOException {
      resetObjects();
    }

    @Override
    protected Object replaceObject(Object object) {
      return object instanceof Remote ? CallObjects.toStub(call, object) : object;
    }

    @Override
    public CallOutput call() {
      return call;
    }
  }

  private static final class Input extends UkaObjectInputStream
      implements ObjectUnmarshaler, CallObjectInput {
    private final CallInput call;

    /** Who the types are bound for; weak, so that an idle connection keeps no loader alive. */
    private WeakReference<ClassLoader> boundDefault = new WeakReference<>(null);

    private WeakReference<ClassLoader> boundContext = new WeakReference<>(null);
    private boolean bound;

    Input(CallInput call, InputBuffer buffer) throws IOException {
      super(buffer);
      this.call = call;
    }

    @Override
    public void beginMessage() throws IOException {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      if (boundDefault.get() != call.defaultLoader() || boundContext.get() != context) {
        boundDefault = new WeakReference<>(call.defaultLoader());
        boundContext = new WeakReference<>(context);
        if (bound) {
          rebindTypes();
        }
      }
      bound = true;
    }

    @Override
    public Object unmarshal() throws IOException, ClassNotFoundException {
      return readObject();
    }

    @Override
    public void endMessage() {
      resetObjects();
    }

    @Override
    protected ObjectInputFilter messageFilter() {
      ObjectInputFilter own = call.filter();
      return own != null ? own : getObjectInputFilter();
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      return CallObjects.resolveClass(call, description.getName());
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
      return call.translation().resolveProxyClass(interfaces, call.defaultLoader());
    }

    @Override
    public CallInput call() {
      return call;
    }
  }
}
