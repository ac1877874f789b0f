package app;

import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;

/** Prints whose streams, whose RMI, and whose streams under the stock RMI this program gets: the only one that looks. */
public class Swapped implements Remote {
  public static void main(String[] args) throws Exception {
    System.out.println(new ObjectOutputStream(new ByteArrayOutputStream()).getClass().getName());
    Swapped object = new Swapped();
    UnicastRemoteObject.exportObject(object, 0);
    Remote stub = RemoteObject.toStub(object);
    Object face = Proxy.isProxyClass(stub.getClass()) ? Proxy.getInvocationHandler(stub) : stub;
    System.out.println(((RemoteObject) face).getRef().getClass().getName());
    UnicastRemoteObject.unexportObject(object, true);
    System.out.println(Class.forName("sun.rmi.server.MarshalOutputStream").getSuperclass().getName());
  }
}
