package members;

import org.apache.jmeter.JMeter;
import org.apache.jmeter.util.JMeterUtils;

/** JMeter, given its arguments, with the folder of the property {@code jmeter.home}. */
final class JMeterMain {
  private JMeterMain() {}

  public static void main(String[] arguments) {
    JMeterUtils.setJMeterHome(System.getProperty("jmeter.home"));
    new JMeter().start(arguments);
  }
}
