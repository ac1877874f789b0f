package io.karmi.jmx;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.MarshalledObject;
import java.util.Map;
import java.util.Set;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.InvalidAttributeValueException;
import javax.management.ListenerNotFoundException;
import javax.management.MBeanException;
import javax.management.MBeanRegistrationException;
import javax.management.NotCompliantMBeanException;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.remote.rmi.RMIConnectionImpl;
import javax.management.remote.rmi.RMIServerImpl;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose parameters pass a filter.
 *
 * <p>JMX sends most parameters as a {@link MarshalledObject}: bytes that the server makes objects
 * of when it knows their class loader. The call's filter sees the bytes only. So each is given a
 * copy that keeps the filter, in the way a {@code MarshalledObject} takes one: from the stream it
 * is read from.
 */
final class FilteredConnection extends RMIConnectionImpl {
  private final ObjectInputFilter filter;

  FilteredConnection(
      RMIServerImpl server,
      String connectionId,
      @Nullable ClassLoader loader,
      @Nullable Subject subject,
      Map<String, ?> environment,
      ObjectInputFilter filter) {
    super(server, connectionId, loader, subject, environment);
    this.filter = filter;
  }

  private @Nullable MarshalledObject<?> filtered(@Nullable MarshalledObject<?> parameter)
      throws IOException {
    if (parameter == null) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(parameter);
    }
    Later later = new Later(filter);
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.setObjectInputFilter(later);
      return (MarshalledObject<?>) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the JDK is missing", e);
    } finally {
      later.begun = true;
    }
  }

  /** A filter that begins when the object that remembers it has itself been read. */
  private static final class Later implements ObjectInputFilter {
    private final ObjectInputFilter filter;
    private volatile boolean begun;

    Later(ObjectInputFilter filter) {
      this.filter = filter;
    }

    @Override
    public Status checkInput(FilterInfo info) {
      return begun ? filter.checkInput(info) : Status.UNDECIDED;
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public ObjectInstance createMBean(
      String type, ObjectName name, MarshalledObject params, String[] signature, Subject subject)
      throws ReflectionException,
          InstanceAlreadyExistsException,
          MBeanRegistrationException,
          MBeanException,
          NotCompliantMBeanException,
          IOException {
    return super.createMBean(type, name, filtered(params), signature, subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public ObjectInstance createMBean(
      String type,
      ObjectName name,
      ObjectName loader,
      MarshalledObject params,
      String[] signature,
      Subject subject)
      throws ReflectionException,
          InstanceAlreadyExistsException,
          MBeanRegistrationException,
          MBeanException,
          NotCompliantMBeanException,
          InstanceNotFoundException,
          IOException {
    return super.createMBean(type, name, loader, filtered(params), signature, subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<ObjectInstance> queryMBeans(ObjectName name, MarshalledObject query, Subject subject)
      throws IOException {
    return super.queryMBeans(name, filtered(query), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<ObjectName> queryNames(ObjectName name, MarshalledObject query, Subject subject)
      throws IOException {
    return super.queryNames(name, filtered(query), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void setAttribute(ObjectName name, MarshalledObject attribute, Subject subject)
      throws InstanceNotFoundException,
          AttributeNotFoundException,
          InvalidAttributeValueException,
          MBeanException,
          ReflectionException,
          IOException {
    super.setAttribute(name, filtered(attribute), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public AttributeList setAttributes(ObjectName name, MarshalledObject attributes, Subject subject)
      throws InstanceNotFoundException, ReflectionException, IOException {
    return super.setAttributes(name, filtered(attributes), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Object invoke(
      ObjectName name,
      String operation,
      MarshalledObject params,
      String[] signature,
      Subject subject)
      throws InstanceNotFoundException, MBeanException, ReflectionException, IOException {
    return super.invoke(name, operation, filtered(params), signature, subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Integer[] addNotificationListeners(
      ObjectName[] names, MarshalledObject[] filters, Subject[] subjects)
      throws InstanceNotFoundException, IOException {
    MarshalledObject[] kept = filters.clone();
    for (int i = 0; i < kept.length; i++) {
      kept[i] = filtered(kept[i]);
    }
    return super.addNotificationListeners(names, kept, subjects);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void addNotificationListener(
      ObjectName name,
      ObjectName listener,
      MarshalledObject wanted,
      MarshalledObject handback,
      Subject subject)
      throws InstanceNotFoundException, IOException {
    super.addNotificationListener(name, listener, filtered(wanted), filtered(handback), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void removeNotificationListener(
      ObjectName name,
      ObjectName listener,
      MarshalledObject wanted,
      MarshalledObject handback,
      Subject subject)
      throws InstanceNotFoundException, ListenerNotFoundException, IOException {
    super.removeNotificationListener(name, listener, filtered(wanted), filtered(handback), subject);
  }
}
