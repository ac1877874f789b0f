package beside;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.HexFormat;

/** A program whose coverage is taken: streams, hooks, records, a registry and calls. */
public class Covered {
  static class Counter implements Till {
    @Override
    public int total(Basket basket) {
      if (basket.lines.isEmpty()) {
        throw new IllegalStateException("empty");
      }
      return basket.total;
    }
  }

  static byte[] written(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  public static void main(String[] args) throws Exception {
    System.out.println(ObjectStreamClass.lookup(Basket.class).getSerialVersionUID());
    byte[] bytes = written(new Basket().add("tea", 250).add("milk", 110));
    System.out.println(HexFormat.of().formatHex(bytes));
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      Basket read = (Basket) in.readObject();
      System.out.println(read.lines + " " + read.total + " " + (read.bag == Basket.Empty.INSTANCE));
    }
    try {
      written(new Object[] {new Object()});
    } catch (NotSerializableException e) {
      System.out.println(e);
    }
    Counter counter = new Counter();
    Registry registry = LocateRegistry.createRegistry(0);
    registry.rebind("till", UnicastRemoteObject.exportObject(counter, 0));
    Till till = (Till) registry.lookup("till");
    System.out.println(till.total(new Basket().add("bread", 300)));
    try {
      till.total(new Basket());
    } catch (IllegalStateException e) {
      System.out.println(e);
    }
    UnicastRemoteObject.unexportObject(counter, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
