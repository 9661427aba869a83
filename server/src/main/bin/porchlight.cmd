@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Starts the service or runs one of its commands, on Windows: porchlight serve, porchlight help.
rem JAVA_HOME selects the JDK, JAVA_OPTS adds JVM options.
setlocal
set "app=%~dp0.."
set "lib=%app%\lib"
if defined PORCHLIGHT_LIB set "lib=%PORCHLIGHT_LIB%"
if not defined PORCHLIGHT_DOCS if exist "%app%\docs\README.md" set "PORCHLIGHT_DOCS=%app%\docs"

set "java=java"
if not defined JAVA_HOME goto :in_path
set "java=%JAVA_HOME%\bin\java.exe"
if exist "%java%" goto :found
echo porchlight: JAVA_HOME is %JAVA_HOME%, but it has no bin\java.exe: set JAVA_HOME to the directory of a JDK 17 or newer, or unset it 1>&2
exit /b 1
:in_path
where /q java
if not errorlevel 1 goto :found
echo porchlight: there is no java in PATH: install a JDK 17 or newer, or set JAVA_HOME to its directory 1>&2
exit /b 1

:found
if /i "%~1"=="canary" goto :canary
"%java%" -Xss512k -Xms64m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED %JAVA_OPTS% -cp "%lib%\*" dev.porchlight.server.Main %*
exit /b %ERRORLEVEL%

:canary
rem "shift" does not change %*: the first word is removed here.
set "rest=%*"
set "rest=%rest:~6%"
"%java%" %JAVA_OPTS% -cp "%app%\canary\*;%lib%\*" dev.porchlight.canary.Main%rest%
exit /b %ERRORLEVEL%
